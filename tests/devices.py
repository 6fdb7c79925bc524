"""The devices that one body of tests runs on; those that are not here are skipped, with the reason."""

import numpy as np
import pytest
import scipy.sparse

from pmifact.device import Device, resolve_device
from pmifact.errors import DeviceError

# What stands in for a GPU where there is none: everything that is done for one is done on NumPy and SciPy.
HOST = Device("host", np, scipy.sparse, "host")

# What runs on the strict namespace leans on nothing that NumPy alone has.
try:
    import array_api_strict

    STRICT = pytest.param(Device("strict", array_api_strict), id="strict")
except ModuleNotFoundError as error:
    STRICT = pytest.param(None, id="strict", marks=pytest.mark.skip(str(error)))

try:
    GPU = resolve_device("gpu")
    _reason = ""
except DeviceError as error:
    GPU, _reason = None, str(error)
ON_GPU = [pytest.mark.gpu, pytest.mark.skipif(GPU is None, reason=_reason)]

NAMES = ["cpu", pytest.param("gpu", marks=ON_GPU)]
WITH_SPARSE = [pytest.param(HOST, id="host"), pytest.param(GPU, id="gpu", marks=ON_GPU)]
