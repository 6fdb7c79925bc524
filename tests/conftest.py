"""What every test may use: paths, the data kept beside the project, and the Hypothesis profiles."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPO = Path(__file__).resolve().parent.parent
SHARED_DATA = Path(os.environ.get("PMIFACT_TEST_DATA", REPO / "../shared/data"))

settings.register_profile("default", max_examples=60, deadline=None)
# `make acceptance` runs every property again under this profile.
settings.register_profile(
    "thousand", max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")

# What runs in the background of a script is born deaf to SIGINT, and so would be the commands under test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """No test sees the named sets of whoever runs it."""
    os.environ.pop("PMIFACT_DATA", None)
    os.environ["PMIFACT_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real corpora and gold sets, kept outside the project; the test skips where they are absent."""
    if not (SHARED_DATA / "SOURCES.md").is_file():
        pytest.skip(f"no data at {SHARED_DATA}; set PMIFACT_TEST_DATA to the folder that holds them")
    return SHARED_DATA
