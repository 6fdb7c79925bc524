"""Views of arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written to, so that kernels are compiled for one kind of array only."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view
