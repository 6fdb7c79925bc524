"""Every name of CuPy that the package uses exists in the CuPy that is installed, and takes these arguments.

CuPy can be imported without a GPU; so what is used is held against it on machines that have none.
"""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import pmifact

PACKAGE = Path(pmifact.__file__).parent
# The modules whose arrays may be CuPy's.
ON_DEVICES = [
    "device.py",
    "ppmi.py",
    *(f"svd/{name}.py" for name in ("basis", "krylov", "streaming")),
]
# What those modules ask of arrays themselves, which no import shows.
ARRAY_ATTRIBUTES = {"T", "astype", "dtype", "max", "shape"}


@pytest.fixture(scope="module")
def cupy():
    try:
        return importlib.import_module("cupy")
    except Exception as error:
        pytest.skip(f"there is no CuPy to compare with ({error})")


# What a call gives whose result is asked for more.
RESULTS = {
    "cupy.cuda.get_current_stream": "cupy.cuda.Stream",
    "cupy.get_default_memory_pool": "cupy.cuda.MemoryPool",
    "cupy.finfo": "cupy.finfo",
}


def module_of(node, aliases):
    """Return the name within CuPy that an expression such as self.device.xp.linalg.eigh has, or None."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if isinstance(node, ast.Call) and parts:
        made_by = module_of(node.func, aliases)
        return made_by and ".".join([RESULTS[made_by], *parts])
    if not isinstance(node, ast.Name):
        return None
    if node.id in aliases and parts:
        return ".".join([aliases[node.id], *parts])
    for marker, home in (("xp", "cupy"), ("sparse", "cupyx.scipy.sparse")):
        if marker in parts[:-1] and node.id in ("device", "self"):
            return ".".join([home, *parts[parts.index(marker) + 1 :]])
    return None


def uses(path):
    """Yield (full name, the call's positional count and keywords or None, line)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aliases = {"cupy": "cupy", "xp": "cupy"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            home = module_of(node.value, aliases)
            if isinstance(node.value, ast.Attribute) and home:
                aliases[node.targets[0].id] = home
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        name = module_of(node, aliases)
        if name is None:
            continue
        call = calls.get(id(node))
        yield (
            name,
            call and (len(call.args), tuple(word.arg for word in call.keywords if word.arg)),
            node.lineno,
        )


USES = sorted(
    {(name, call, f"{file}:{line}") for file in ON_DEVICES for name, call, line in uses(PACKAGE / file)},
    key=str,
)


def found(name):
    """Import the object of a full name."""
    parts = name.split(".")
    start = 3 if name.startswith("cupyx.scipy.sparse") else 1
    value = importlib.import_module(".".join(parts[:start]))
    for part in parts[start:]:
        if part == "eps":  # of an instance
            value = value("float32")
        value = getattr(value, part)
    return value


def takes(function, positional, keywords):
    """Return whether a function takes these arguments; a built one that tells nothing is believed."""
    if hasattr(function, "nin"):  # an elementwise function
        return function.nin <= positional <= function.nargs and set(keywords) <= {"out", "dtype", "casting"}
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return callable(function)
    try:
        signature.bind(*[None] * positional, **dict.fromkeys(keywords))
    except TypeError:
        return False
    return True


def test_the_uses_are_found():
    names = {name for name, _, _ in USES}
    assert {
        "cupy.linalg.eigh",
        "cupy.asarray",
        "cupy.asnumpy",
        "cupy.empty",
        "cupy.finfo",
        "cupy.flatnonzero",
        "cupy.log",
        "cupy.cuda.runtime.driverGetVersion",
        "cupy.cuda.runtime.memGetInfo",
        "cupy.cuda.Stream.synchronize",
        "cupy.cuda.MemoryPool.free_bytes",
        "cupyx.scipy.sparse.csr_matrix",
    } <= names
    assert ("cupy.empty", (1, ("dtype",))) in {(name, call) for name, call, _ in USES}


@pytest.mark.parametrize(("name", "call", "where"), USES, ids=[f"{where} {name}" for name, _, where in USES])
def test_cupy_has_what_is_used(cupy, name, call, where):
    function = found(name)
    if call is not None:
        positional, keywords = call
        of_an_object = name.rpartition(".")[0] in RESULTS.values()
        assert takes(function, positional + of_an_object, keywords), f"{where}: {name} does not take {call}"


def test_its_arrays_have_what_is_asked_of_them(cupy):
    used = set()
    for file in ON_DEVICES:
        tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
        used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for name in ARRAY_ATTRIBUTES & used:
        assert hasattr(cupy.ndarray, name), name
    assert hasattr(cupy.ndarray, "__matmul__")
    matrix = found("cupyx.scipy.sparse.csr_matrix")
    assert hasattr(matrix, "__matmul__")
    assert matrix.has_canonical_format.fset is not None


@pytest.mark.parametrize("name", ["float32", "float64", "int32", "int64"])
def test_its_types_are_numpys(cupy, name):
    assert getattr(cupy, name) is getattr(importlib.import_module("numpy"), name)


def test_a_name_or_an_argument_that_is_not_there_is_seen(cupy):
    with pytest.raises(AttributeError):
        found("cupy.linalg.eigh_of_everything")
    assert not takes(found("cupy.linalg.eigh"), 1, ("driver",))
    assert not takes(found("cupy.log"), 0, ())
