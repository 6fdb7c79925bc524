"""Which device is taken, and what is said when there is none."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from devices import STRICT, WITH_SPARSE

import pmifact.device
from pmifact.device import CPU, Device, resolve_device
from pmifact.errors import DeviceError, InputError


class CUDARuntimeError(RuntimeError):
    """As CuPy's, it tells its kind by a number."""

    def __init__(self, status):
        super().__init__(f"cudaError{status}: something about CUDA\nand more")
        self.status = status


class OutOfMemoryError(MemoryError):
    """As CuPy's."""


def raising(error):
    def function(*_, **__):
        raise error

    return function


@pytest.fixture
def no_gpu_yet():
    pmifact.device._gpu.cache_clear()
    yield
    pmifact.device._gpu.cache_clear()


@pytest.fixture
def cupy(monkeypatch, no_gpu_yet):
    """A CuPy made of NumPy, for a driver of CUDA 13.1 with one device."""
    freed = []
    runtime = SimpleNamespace(
        CUDARuntimeError=CUDARuntimeError,
        driverGetVersion=lambda: 13010,
        runtimeGetVersion=lambda: 13000,
        getDeviceCount=lambda: 1,
        getDevice=lambda: 0,
        getDeviceProperties=lambda _: {"name": b"NVIDIA Test"},
        memGetInfo=lambda: (1000, 2000),
    )
    stream = SimpleNamespace(synchronize=lambda: None)
    pool = SimpleNamespace(free_bytes=lambda: 50, free_all_blocks=lambda: freed.append(True), freed=freed)
    module = ModuleType("cupy")
    vars(module).update(
        __version__="14.0",
        cuda=SimpleNamespace(
            runtime=runtime,
            get_current_stream=lambda: stream,
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
        ),
        asarray=np.asarray,
        asnumpy=np.asarray,
        linalg=np.linalg,
        float64=np.float64,
        get_default_memory_pool=lambda: pool,
    )
    for name in ("cupy", "cupyx", "cupyx.scipy", "cupyx.scipy.sparse"):
        monkeypatch.setitem(sys.modules, name, module if name == "cupy" else ModuleType(name))
    sys.modules["cupyx"].scipy = sys.modules["cupyx.scipy"]
    sys.modules["cupyx.scipy"].sparse = sys.modules["cupyx.scipy.sparse"]
    sys.modules["cupyx.scipy.sparse"].csr_matrix = scipy.sparse.csr_matrix
    return module


def test_the_cpu_is_always_there():
    assert resolve_device("cpu") is CPU
    assert (CPU.name, CPU.title, CPU.note, CPU.free_memory()) == ("cpu", "CPU", "", None)


def test_a_gpu_is_taken_when_it_can_be_used(cupy):
    device = resolve_device("gpu")
    assert (device.name, device.title, device.xp) == ("gpu", "NVIDIA Test", cupy)
    assert device.free_memory() == 1050
    assert resolve_device("auto") is device


def test_memory_that_runs_out_is_one_sentence_and_is_given_back(cupy):
    device, freed = resolve_device("gpu"), cupy.get_default_memory_pool().freed
    with device.in_use():
        pass
    assert len(freed) == 1
    sentence = r"^gpu: the memory of NVIDIA Test .* \(Out of memory allocating 8 bytes\)"
    with pytest.raises(DeviceError, match=sentence), device.in_use():
        raise OutOfMemoryError("Out of memory allocating 8 bytes\n(allocated so far: 1)")
    with pytest.raises(KeyError), device.in_use():
        raise KeyError
    assert len(freed) == 3
    with pytest.raises(MemoryError), CPU.in_use():
        raise MemoryError


def test_a_missing_cupy_names_the_extras(monkeypatch, no_gpu_yet):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(DeviceError, match=r"CuPy is not installed; pip install 'pmifact\[gpu\]'.*gpu-cuda12"):
        resolve_device("gpu")
    auto = resolve_device("auto")
    assert auto.name == "cpu"
    assert auto.note.startswith("CuPy is not installed")


@pytest.mark.parametrize(
    ("function", "replacement", "message"),
    [
        ("driverGetVersion", lambda: 0, r"there is no NVIDIA driver; install one for CUDA 13\.0"),
        ("getDeviceCount", lambda: 0, "the NVIDIA driver finds no device; .*CUDA_VISIBLE_DEVICES"),
        ("getDeviceCount", raising(CUDARuntimeError(100)), "the NVIDIA driver finds no device"),
        ("getDeviceCount", raising(CUDARuntimeError(35)), r"driver is for CUDA 13\.1, but CuPy 14\.0 needs"),
        ("getDeviceCount", raising(CUDARuntimeError(999)), "fails .cudaError999: something about CUDA.; see"),
    ],
)
def test_the_driver_says_what_is_missing(cupy, monkeypatch, function, replacement, message):
    monkeypatch.setattr(cupy.cuda.runtime, function, replacement)
    with pytest.raises(DeviceError, match=f"^gpu: .*{message}") as caught:
        resolve_device("gpu")
    assert "\n" not in str(caught.value)
    assert resolve_device("auto").note == str(caught.value).removeprefix("gpu: ")


@pytest.mark.parametrize("name", ["eigh", "csr_matrix"])
def test_a_library_of_cuda_that_is_missing_is_told_beforehand(cupy, monkeypatch, name):
    broken = raising(RuntimeError("libcusolver.so.12: cannot open"))
    if name == "eigh":
        monkeypatch.setattr(cupy, "linalg", SimpleNamespace(eigh=broken))
    else:
        monkeypatch.setattr(sys.modules["cupyx.scipy.sparse"], name, broken)
    with pytest.raises(DeviceError, match=r"cannot compute on NVIDIA Test \(libcusolver.*pmifact\[gpu\]"):
        resolve_device("gpu")


def test_a_device_that_computes_nonsense_is_refused(cupy, monkeypatch):
    monkeypatch.setattr(cupy, "linalg", SimpleNamespace(eigh=lambda a: (np.zeros(2), a)))
    with pytest.raises(DeviceError, match="eigenvalues of a unit matrix"):
        resolve_device("gpu")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "raise OSError('libnvrtc.so: cannot open')",
            r"is installed but cannot be loaded \(libnvrtc",
        ),
        ("import what_cupy_needs", "cannot be loaded .No module named 'what_cupy_needs'"),
    ],
)
def test_a_broken_cupy_is_told_from_a_missing_one(monkeypatch, tmp_path, no_gpu_yet, line, message):
    (tmp_path / "cupy.py").write_text(line)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    with pytest.raises(DeviceError, match=message):
        resolve_device("gpu")


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match=r"^device: expected one of cpu, gpu, auto, got"):
        resolve_device("cuda")


@pytest.mark.parametrize("device", [pytest.param(CPU, id="cpu"), *WITH_SPARSE])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_arrays_go_there_and_back(device: Device, dtype):
    values = np.arange(12, dtype=dtype).reshape(3, 4)[:, ::2]
    there = device.array(values)
    device.synchronize()
    np.testing.assert_array_equal(device.to_host(there, dtype), values)
    assert device.to_host(there, dtype).dtype == dtype
    assert device.to_host(there).dtype == np.float64


@pytest.mark.parametrize("device", [pytest.param(CPU, id="cpu"), STRICT, *WITH_SPARSE])
def test_eigenvalues_come_ascending(device: Device):
    matrix = np.random.default_rng(0).standard_normal((30, 30))
    matrix += matrix.T
    values, vectors = device.eigh(matrix)
    assert type(values) is type(vectors) is np.ndarray
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), atol=1e-13)
    np.testing.assert_allclose(vectors @ np.diag(values) @ vectors.T, matrix, atol=1e-12)


@pytest.mark.gpu
@pytest.mark.parametrize("device", WITH_SPARSE[1:])
def test_the_gpu_tells_its_memory(device: Device):
    free = device.free_memory()
    held = device.array(np.zeros(1 << 22, np.float64))
    assert device.free_memory() <= free - held.nbytes
