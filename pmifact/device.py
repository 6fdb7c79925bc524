"""Where arrays live and work is done; the only module that knows CuPy."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pmifact.checks import check_choice
from pmifact.errors import DeviceError

DEVICES = ("cpu", "gpu", "auto")
# Kinds of errors of the CUDA runtime; CuPy has no names for them.
_INSUFFICIENT_DRIVER, _NO_DEVICE = 35, 100

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Device:
    """An array namespace, and the way between its arrays and the host's.

    Parameters
    ----------
    name : str
        ``cpu`` or ``gpu``.
    xp : module
        NumPy, or what stands in for it on the device.
    sparse : module or None
        The sparse matrices of the device; None on the CPU, where our own kernels multiply.
    title : str
        For people, such as ``NVIDIA H200``.
    note : str
        Why it was taken, where ``auto`` chose it for want of a better one.
    """

    name: str
    xp: Any
    sparse: Any = None
    title: str = "CPU"
    note: str = ""

    def array(self, values: NDArray[Any], dtype: Any = None) -> Any:
        """Return a host array as an array of the device, C-contiguous, with a dtype of its namespace."""
        return self.xp.asarray(np.ascontiguousarray(values), dtype=dtype)

    def to_host(self, values: Any, dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """Return an array of the device as one of NumPy's, float64 unless said otherwise."""
        if self.name == "gpu":  # CuPy refuses to copy unless it is told to
            values = self.xp.asnumpy(values)
        return np.asarray(values, dtype)

    def csr(self, data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], columns: int) -> Any:
        """Return the rows of a canonical CSR matrix of the host as one of the device."""
        arrays = tuple(self.array(values) for values in (data, indices, indptr))
        matrix = self.sparse.csr_matrix(arrays, shape=(len(indptr) - 1, columns))
        matrix.has_canonical_format = True  # it was checked on the host, once
        return matrix

    def eigh(self, matrix: Floats) -> tuple[Floats, Floats]:
        """Return the eigenvalues of a symmetric matrix of the host, ascending, and the vectors in columns."""
        if self.name == "cpu":
            values, vectors = np.linalg.eigh(matrix)
            return values, vectors
        values, vectors = self.xp.linalg.eigh(self.array(matrix, self.xp.float64))
        return self.to_host(values), self.to_host(vectors)

    def synchronize(self) -> None:
        """Wait until everything that was asked for is done."""
        if self.name == "gpu":
            self.xp.cuda.get_current_stream().synchronize()

    def free_memory(self) -> int | None:
        """Return the bytes that may still be taken; None on the CPU, where the user sets the limit."""
        if self.name != "gpu":
            return None
        free, _ = self.xp.cuda.runtime.memGetInfo()
        return int(free) + int(self.xp.get_default_memory_pool().free_bytes())

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Say in one sentence when memory runs out on a GPU, and give all of it back in the end."""
        if self.name != "gpu":
            yield
            return
        try:
            yield
        except self.xp.cuda.memory.OutOfMemoryError as error:
            raise DeviceError(
                f"gpu: the memory of {self.title} does not suffice ({_line(error)}); end other programs "
                "there, lower the rank, or set a limit on memory that is well below what is free"
            ) from error
        finally:
            self.xp.get_default_memory_pool().free_all_blocks()


CPU = Device("cpu", np)


def resolve_device(name: str) -> Device:
    """Return the device of this name, ready for use.

    Parameters
    ----------
    name : {"cpu", "gpu", "auto"}
        ``auto`` is the GPU where there is one that can be used, else the CPU, whose `note` says why.

    Raises
    ------
    DeviceError
        If ``gpu`` cannot be used: it says whether CuPy, the driver, the device or a library of CUDA is
        missing, and what to do.
    InputError
        If there is no such name.
    """
    check_choice("device", name, DEVICES)
    if name == "cpu":
        return CPU
    try:
        return _gpu()
    except DeviceError as error:
        if name == "gpu":
            raise
        return replace(CPU, note=str(error).removeprefix("gpu: "))


@cache
def _gpu() -> Device:
    try:
        import cupy
        import cupyx.scipy.sparse
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("cupy", "cupyx"):
            raise DeviceError(f"gpu: CuPy cannot be loaded ({error}); install what it misses") from error
        raise DeviceError(
            "gpu: CuPy is not installed; pip install 'pmifact[gpu]' for a driver of CUDA 13, or "
            "'pmifact[gpu-cuda12]' for one of CUDA 12"
        ) from error
    except Exception as error:  # a broken installation fails in many ways
        raise DeviceError(
            f"gpu: CuPy is installed but cannot be loaded ({_line(error)}); install it again, one cupy "
            "package alone"
        ) from error
    _check_driver(cupy)
    device = Device("gpu", cupy, cupyx.scipy.sparse, _title(cupy))
    try:
        _try(device)
    except Exception as error:  # each library of CUDA has its own error, and a missing one another
        raise DeviceError(
            f"gpu: CuPy {cupy.__version__} cannot compute on {device.title} ({_line(error)}); the libraries "
            "of CUDA that it needs come with pip install 'pmifact[gpu]'"
        ) from error
    return device


def _check_driver(cupy: Any) -> None:
    """Raise unless there is a driver, new enough for the CUDA that CuPy is built for, and a device."""
    runtime = cupy.cuda.runtime
    driver, needed = int(runtime.driverGetVersion()), int(runtime.runtimeGetVersion())
    if driver == 0:
        raise DeviceError(
            f"gpu: there is no NVIDIA driver; install one for CUDA {_version(needed)} (CuPy "
            f"{cupy.__version__} is here)"
        )
    try:
        count = int(runtime.getDeviceCount())
    except runtime.CUDARuntimeError as error:
        if error.status == _INSUFFICIENT_DRIVER:
            raise DeviceError(
                f"gpu: the NVIDIA driver is for CUDA {_version(driver)}, but CuPy {cupy.__version__} needs "
                f"{_version(needed)}; update the driver, or take the CuPy of pmifact[gpu-cuda12]"
            ) from error
        if error.status != _NO_DEVICE:
            raise DeviceError(
                f"gpu: the NVIDIA driver fails ({_line(error)}); see what nvidia-smi says"
            ) from error
        count = 0
    if count == 0:
        raise DeviceError(
            "gpu: the NVIDIA driver finds no device; see what nvidia-smi and the environment variable "
            "CUDA_VISIBLE_DEVICES say"
        )


def _try(device: Device) -> None:
    """Use once each library that will be needed: cuBLAS, cuSPARSE, cuSOLVER, and the compiler of kernels."""
    eye = np.eye(2, dtype=np.float32)
    matrix = device.csr(np.ones(2, np.float32), np.arange(2, dtype=np.int32), np.arange(3, dtype=np.int32), 2)
    product = (matrix @ device.array(eye)) @ device.array(eye)
    values, _ = device.xp.linalg.eigh(product.astype(device.xp.float64))
    if not np.array_equal(device.to_host(values), [1, 1]):
        raise RuntimeError("the eigenvalues of a unit matrix are wrong")


def _title(cupy: Any) -> str:
    name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.runtime.getDevice())["name"]
    return name.decode() if isinstance(name, bytes) else str(name)


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
