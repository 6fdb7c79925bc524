"""Named sets: the registry, where they are looked for, and how they get into the cache, whole or not."""

import os
import re
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from dataset_samples import PAIRS, QUESTIONS, RELATIONS, TEXT, registry_of, serving, sha256

from pmifact import datasets as named
from pmifact.datasets import registry
from pmifact.errors import ArtifactError, InputError
from pmifact.evaluation import AnalogySet, PairSet, SimilaritySet


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and no data of the user's own."""
    monkeypatch.setenv("PMIFACT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PMIFACT_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path / "cache"


@pytest.fixture
def asked(cache, monkeypatch):
    """The paths that were asked of a server which has the sets of a small registry."""
    with serving() as (address, paths):
        text = registry_of(address)
        monkeypatch.setattr(registry, "_text", lambda: text)
        registry.datasets.cache_clear()
        yield paths
    registry.datasets.cache_clear()


# --- the registry -------------------------------------------------------------------------------------


def test_every_entry_is_complete():
    assert set(named.datasets()) >= {
        *("ws353", "ws353-sim", "ws353-rel", "men", "men-lemma", "simlex999", "simverb3500", "mturk287"),
        *("mturk771", "rw", "rg65", "mc30", "yp130", "card660", "google", "msr", "bats"),
        *("text8", "wikitext103", "enwik9"),
    }
    for name, known in named.datasets().items():
        assert re.fullmatch(r"[a-z0-9-]+", name)
        assert known.kind in ("similarity", "analogy", "pairs", "corpus")
        assert known.rows or known.kind == "corpus"
        assert all([known.title, known.licence, known.citation])
        assert known.source.startswith("http")
        assert len(known.files) == 1 or known.folder
        for file in known.files:
            assert file.digest is None or re.fullmatch("sha256:[0-9a-f]{64}|sha1:[0-9a-f]{40}", file.digest)
            assert (file.url is None) == (file.digest is None)
            assert file.url is None or re.fullmatch(r"https?://[!-~]+", file.url)


def test_an_unknown_name_is_told_the_nearest():
    with pytest.raises(
        InputError, match=r"no set of that name; did you mean simlex999\? 'pmifact data list'"
    ):
        named.dataset("SimLex-999")
    with pytest.raises(
        InputError, match=r"^zzz: there is no set of that name; 'pmifact data list' shows all"
    ):
        named.dataset_path("zzz")


def test_what_is_at_hand_is_what_was_registered(cache, shared_data, monkeypatch):
    monkeypatch.setenv("PMIFACT_DATA", str(shared_data))
    found = [name for name in named.datasets() if named.find_dataset(name)]
    assert set(named.datasets()) - set(found) == {
        *("simverb3500", "yp130", "card660", "text8", "wikitext103", "enwik9"),
    }
    for name in found:
        known = named.datasets()[name]
        gold = named.read_dataset(name)  # checks the digests
        assert (len(gold), gold.name) == (known.rows, name)
    assert named.datasets_at_hand("analogy") == ("google", "msr", "bats")
    assert len(named.datasets_at_hand("similarity")) == 11
    natural, lemma = named.read_dataset("men"), named.read_dataset("men-lemma")
    pairs = zip(
        zip(natural.words1, natural.words2, strict=True),
        zip(lemma.words1, lemma.words2, strict=True),
        strict=True,
    )
    assert sum(one != other for one, other in pairs) == 821
    assert natural.scores.tolist() == lemma.scores.tolist()


# --- fetching -----------------------------------------------------------------------------------------


def test_a_set_is_fetched_once(asked, cache):
    seen = []
    place = named.get_dataset("pairs", progress=lambda done, total: seen.append((done, total)))
    assert place.path == cache / "pairs" / "pairs.tsv"
    assert place.path.read_bytes() == PAIRS
    assert seen[-1] == (len(PAIRS), len(PAIRS))
    assert named.get_dataset("pairs") == named.find_dataset("pairs") == place
    assert asked == ["/pairs.tsv"]
    assert os.listdir(cache) == ["pairs"]
    gold = named.read_dataset("pairs")
    assert isinstance(gold, SimilaritySet)
    assert (gold.name, len(gold)) == ("pairs", 3)


def test_redirections_are_followed(asked, cache):
    assert named.get_dataset("moved").path.read_bytes() == PAIRS
    assert asked == ["/moved/pairs.tsv", "/pairs.tsv"]


def test_a_folder_is_fetched_whole(asked, cache):
    seen = []
    place = named.get_dataset("relations", progress=lambda done, total: seen.append((done, total)))
    assert place.path == cache / "relations" / "relations"
    assert {
        str(path.relative_to(place.path)): path.read_bytes() for path in place.path.rglob("*.txt")
    } == RELATIONS
    assert seen == [(1, 2), (2, 2)]
    gold = named.read_dataset("relations")
    assert isinstance(gold, PairSet)
    assert gold.section_names == ("I01 [noun - plural]", "D01")


def test_the_file_of_an_archive_is_taken_out(asked, cache):
    assert named.get_dataset("text-text").path.read_bytes() == TEXT
    assert sorted(path.name for path in cache.rglob("*")) == ["text", "text-text"]
    with pytest.raises(InputError, match="expected a gold set, got a corpus"):
        named.read_dataset("text-text")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cut", "cannot be fetched: the connection ended before the whole file had come"),
        ("other", "sent other bytes than the published ones (sha256:"),
        ("gone", "cannot be fetched: the server answers 404 Not Found"),
        ("text-other", "sent other bytes than the published ones (sha1:"),
        ("text-without", "sent an archive without 'text'"),
        ("text-broken", "sent no whole ZIP archive"),
    ],
)
def test_what_cannot_be_fetched_leaves_nothing_and_says_what_to_do(asked, cache, name, said):
    with pytest.raises(InputError) as caught:
        named.get_dataset(name)
    message = str(caught.value)
    assert message.startswith(f"{name}: http://127.0.0.1:")
    assert said in message
    file = "text" if name.startswith("text") else "pairs.tsv"
    assert (
        f"get the file {file} from http://example.org and put it into the folder that PMIFACT_DATA" in message
    )
    assert message.endswith(f"or run: pmifact data add {name} FILE")
    assert "\n" not in message
    assert os.listdir(cache) == []
    with pytest.raises(InputError, match="is not at hand; fetch it with: pmifact data get"):
        named.dataset_path(name)


def test_without_a_connection(cache, monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # nobody listens
        text = registry_of(f"http://127.0.0.1:{unused.getsockname()[1]}")
        monkeypatch.setattr(registry, "_text", lambda: text)
        registry.datasets.cache_clear()
        with pytest.raises(
            InputError, match="cannot be fetched: no connection to the server; get the folder"
        ):
            named.get_dataset("relations")
    registry.datasets.cache_clear()
    assert os.listdir(cache) == []


def test_runs_that_fetch_the_same_set_do_not_disturb_each_other(asked, cache):
    def fetch(_):
        named.get_dataset("relations")
        return len(named.read_dataset("relations"))

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(fetch, range(16))) == {3}
    assert os.listdir(cache) == ["relations"]


def test_a_set_without_a_digest_is_not_fetched(asked, cache):
    with pytest.raises(
        InputError, match=r"no digest of The questions is known .*; get the file questions\.txt from"
    ):
        named.get_dataset("questions")
    assert asked == []


def test_a_damaged_copy_is_told_of_and_fetched_again(asked, cache):
    path = named.get_dataset("pairs").path
    path.write_bytes(PAIRS[:-1])
    with pytest.raises(
        InputError, match=r"damaged: delete the folder .*cache/pairs and run pmifact data get pairs"
    ):
        named.read_dataset("pairs")
    assert named.get_dataset("pairs").path.read_bytes() == PAIRS
    assert len(asked) == 2


def test_a_cache_that_cannot_be_written(asked, tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("PMIFACT_CACHE", str(tmp_path / "file"))
    with pytest.raises(ArtifactError, match="file: cannot be made a folder"):
        named.get_dataset("pairs")


# --- data of the user's own ---------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["", "similarity", "similarity/under", "under", "corpus"])
def test_the_users_own_folder_comes_first(asked, cache, tmp_path, monkeypatch, place):
    named.get_dataset("pairs")
    folder = tmp_path / "mine" / place
    folder.mkdir(parents=True)
    (folder / "pairs.tsv").write_bytes(PAIRS)
    monkeypatch.setenv("PMIFACT_DATA", str(tmp_path / "mine"))
    found = named.find_dataset("pairs")
    assert (found.path, found.cached) == (folder / "pairs.tsv", False)
    assert named.dataset_path("pairs") == folder / "pairs.tsv"
    assert named.find_dataset("questions") is None


def test_another_file_under_a_known_name_is_not_taken_for_the_published_one(
    asked, cache, tmp_path, monkeypatch
):
    (tmp_path / "pairs.tsv").write_bytes(PAIRS + b"\n")
    monkeypatch.setenv("PMIFACT_DATA", str(tmp_path))
    for use in (named.dataset_path, named.get_dataset):
        with pytest.raises(
            InputError, match=r"pairs\.tsv: expected the bytes of The pairs .*; give its path in place"
        ):
            use("pairs")


def test_a_folder_that_is_none(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("PMIFACT_DATA", str(tmp_path / "absent"))
    with pytest.raises(InputError, match=r"PMIFACT_DATA: expected the path of a folder, got '.*absent'"):
        named.find_dataset("ws353")


# --- adding -------------------------------------------------------------------------------------------


def test_a_set_without_a_digest_is_read_copied_and_remembered(asked, cache, tmp_path):
    (tmp_path / "mine.txt").write_bytes(QUESTIONS)
    place = named.add_dataset("questions", tmp_path / "mine.txt")
    assert place == named.find_dataset("questions")
    assert place.path.read_bytes() == QUESTIONS
    assert (cache / "questions/SHA256SUMS").read_text() == f"{sha256(QUESTIONS)}  questions.txt\n"
    gold = named.read_dataset("questions")
    assert isinstance(gold, AnalogySet)
    assert gold.name == "questions"
    place.path.write_bytes(QUESTIONS.replace(b"queen", b"prince"))
    with pytest.raises(InputError, match=r"damaged: delete the folder .* and run pmifact data add questions"):
        named.read_dataset("questions")
    with pytest.raises(InputError, match="damaged"):
        named.get_dataset("questions")
    assert named.add_dataset("questions", tmp_path / "mine.txt") == place
    assert named.read_dataset("questions").questions == gold.questions


def test_sets_with_digests_and_folders_are_added_too(asked, cache, tmp_path):
    (tmp_path / "a.tsv").write_bytes(PAIRS)
    assert named.add_dataset("pairs", tmp_path / "a.tsv").path == named.dataset_path("pairs")
    for name, content in RELATIONS.items():
        (tmp_path / "them" / name).parent.mkdir(parents=True)
        (tmp_path / "them" / name).write_bytes(content)
    named.add_dataset("relations", tmp_path / "them")
    shutil.rmtree(tmp_path / "them")
    assert len(named.read_dataset("relations")) == 3
    (tmp_path / "prose").write_bytes(TEXT)
    assert named.add_dataset("prose", tmp_path / "prose").path.read_bytes() == TEXT
    assert asked == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("questions", QUESTIONS * 2, "expected the 1 items of The questions, got 2; get the whole file"),
        ("questions", PAIRS, "line 1: expected four words"),
        ("pairs", PAIRS[:-1], "expected pairs.tsv of The pairs as it is published (sha256:"),
        ("text-text", TEXT[1:], "expected text of The text-text as it is published (sha1:"),
        ("prose", b"", "expected prose.txt of The prose, text, got 0 bytes"),
        ("relations", b"x", "expected the folder relations with its 2 files, got no folder"),
        ("pairs", None, "cannot be opened: No such file"),
        ("nothing", b"x", "there is no set of that name"),
    ],
)
def test_what_is_not_the_set_is_not_added(asked, cache, tmp_path, name, content, said):
    if content is not None:
        (tmp_path / "mine").write_bytes(content)
    with pytest.raises(InputError) as caught:
        named.add_dataset(name, tmp_path / "mine")
    assert said in str(caught.value)
    assert not cache.exists()
