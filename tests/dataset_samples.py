"""A registry of small sets, and a server on this machine that has them, more or less."""

import hashlib
import io
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar
from urllib.parse import unquote

PAIRS = b"cat\tdog\t9\r\nsun\tmoon\t7.5\r\nold\tnew\t1"
QUESTIONS = b": family\nboy girl king queen\n"
TEXT = b"a rose is a rose\n" * 100
RELATIONS = {
    "1 forms/I01 [noun - plural].txt": b"cat\tcats\ndog\tdogs\n",
    "2 +/D01.txt": b"old\toldness/age\n",
}


def zipped(name, content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
        archive.writestr("readme.txt", "something else")
    return file.getvalue()


FILES = {
    "/pairs.tsv": PAIRS,
    "/questions.txt": QUESTIONS,
    "/text.zip": zipped("text", TEXT),
    "/other.zip": zipped("text", TEXT[:-1]),
    "/without.zip": zipped("elsewhere", TEXT),
    "/broken.zip": zipped("text", TEXT)[:150],
    "/other.tsv": b"<html>please log in</html>",
    **{f"/relations/{name}": content for name, content in RELATIONS.items()},
}


class _Handler(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self):
        path = unquote(self.path)
        self.asked.append(path)
        if path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", path.removeprefix("/moved"))
            self.end_headers()
            return
        cut = path.startswith("/cut")
        content = FILES.get(path.removeprefix("/cut"))
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)

    def log_message(self, *_):
        pass


@contextmanager
def serving():
    """Yield the address of a server of `FILES`, under ``/cut`` cut short and under ``/moved`` redirected."""
    _Handler.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", _Handler.asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def entry(name, **facts):
    """Return the text of one entry of a registry."""
    told = {"title": f"The {name}", "source": "http://example.org", "licence": "unknown", "citation": "None"}
    lines = [f"{key} = {value!r}" for key, value in {**told, **facts}.items() if not isinstance(value, dict)]
    for key, value in facts.items():
        if isinstance(value, dict):
            lines += [f"[{name}.{key}]", *(f"{inner!r} = {digest!r}" for inner, digest in value.items())]
    return "\n".join([f"[{name}]", *lines, ""])


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def registry_of(address):
    """Return a registry whose sets are at `address`."""
    pairs = {"kind": "similarity", "rows": 3, "file": "under/pairs.tsv", "sha256": sha256(PAIRS)}
    text = {"kind": "corpus", "bytes": len(TEXT), "file": "text", "member": "text"}
    text["sha1"] = hashlib.sha1(TEXT).hexdigest()
    return "".join(
        [
            *(
                entry(name, **pairs, url=f"{address}{path}")
                for name, path in {
                    "pairs": "/pairs.tsv",
                    "cut": "/cut/pairs.tsv",
                    "other": "/other.tsv",
                    "gone": "/gone.tsv",
                    "moved": "/moved/pairs.tsv",
                    "refused": "",
                }.items()
            ),
            entry("questions", kind="analogy", rows=1, file="questions.txt"),
            entry(
                "relations",
                kind="pairs",
                rows=3,
                folder="relations",
                url=f"{address}/relations/",
                files={name: sha256(content) for name, content in RELATIONS.items()},
            ),
            *(
                entry(f"text-{name}", **text, url=f"{address}/{name}.zip")
                for name in ("text", "other", "without", "broken")
            ),
            entry("prose", kind="corpus", file="prose.txt"),
        ]
    )
