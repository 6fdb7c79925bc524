"""The house: imports go downward only, and each heavy library is known in one room."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pmifact

PACKAGE = Path(pmifact.__file__).parent

# Rooms by height; a module may import from its own height or below.
LAYERS = [
    {"errors", "kernels"},
    {"checks", "notebook"},
    {"resources", "vocabulary", "device", "presets", "world"},
    {"contexts"},
    {"text"},
    {"vectors", "search", "bridges", "corpus"},
    {"counting", "postprocessing"},
    {"factors", "cooccurrence"},
    {"merging", "disk", "phrases", "ppmi", "svd", "skipgram", "objective"},
    {"spectrum"},
    {"storage", "evaluation", "estimators", "collocates"},
    {"datasets"},
    {"plotting"},
    {"report", "reproduce"},
    {"cli", "__main__"},
]
ONLY_IN = {
    "cupy": {"device"},
    "cupyx": {"device"},
    "numba": {"kernels"},
    "llvmlite": {"kernels"},
    "click": {"cli"},
    "rich": {"cli"},
    # plotting, report and reproduce show the tables that evaluation returns
    "pandas": {"collocates", "evaluation", "storage", "plotting", "report", "reproduce", "cli"},
    "matplotlib": {"plotting"},
    "jinja2": {"report"},
    "markupsafe": {"report"},
    "gensim": {"bridges"},
    "torch": {"bridges"},
    "pyarrow": {"text", "storage"},
    "safetensors": {"storage"},
    "pooch": {"datasets"},
    "requests": {"datasets"},
    "sklearn": {"svd", "evaluation", "estimators"},
}
FORBIDDEN = {"pickle", "dill", "joblib"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def height(name):
    return next(level for level, rooms in enumerate(LAYERS) if name in rooms)


def imported(path):
    """Yield (top-level library, room within pmifact or None, line) of every import in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
            if node.module == "pmifact":
                names = [f"pmifact.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            yield parts[0], parts[1] if parts[0] == "pmifact" and len(parts) > 1 else None, node.lineno


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downward_and_libraries_stay_in_their_room(path):
    if path == PACKAGE / "__init__.py":
        return  # the table of public names
    ours = room(path)
    for library, theirs, line in imported(path):
        where = f"{path.relative_to(PACKAGE)}:{line}"
        assert library not in FORBIDDEN, f"{where} imports {library}"
        assert ours in ONLY_IN.get(library, {ours}), f"{where} imports {library}"
        if theirs is None or theirs == ours:
            continue
        assert ours != "kernels", f"{where}: a kernel imports pmifact.{theirs}"
        # __version__ and the like come from the package itself
        if theirs in {room(module) for module in MODULES}:
            assert height(theirs) <= height(ours), f"{where} imports upward, from {theirs}"


def test_every_module_has_its_room():
    for path in MODULES:
        if path != PACKAGE / "__init__.py":
            assert height(room(path)) >= 0


@pytest.mark.parametrize("code", ["import pmifact", "import pmifact, pmifact.cli"])
def test_start_up_is_light(code):
    heavy = ["numba", "scipy", "pandas", "sklearn", "rich", "llvmlite", "cupy"]
    script = f"{code}; import sys; print([name for name in {heavy!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert loaded.stdout.strip() == "[]"


def test_every_public_name_loads():
    for name in pmifact.__all__:
        assert getattr(pmifact, name).__name__ == name
    assert set(pmifact.__all__) <= set(dir(pmifact))
    with pytest.raises(AttributeError, match="no attribute 'svd2vec'"):
        pmifact.svd2vec  # noqa: B018


def test_only_the_command_line_prints():
    for path in MODULES:
        if room(path) == "cli":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"), path
