"""Where arrays live and work is done."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    """

    name: str
    xp: Any

    def array(self, values: NDArray[Any], dtype: Any) -> Any:
        """Return a host array as an array of the device, C-contiguous, with a dtype of its namespace."""
        return self.xp.asarray(np.ascontiguousarray(values), dtype=dtype)

    def to_host(self, values: Any) -> Floats:
        """Return an array of the device as float64 on the host."""
        return np.asarray(values, np.float64)


CPU = Device("cpu", np)
