from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pmifact.device import Device
from pmifact.errors import DeviceError, InputError
from pmifact.svd.device_plan import Shapes, device_plan

GB = 10**9


@dataclass(frozen=True)
class Sized(Device):
    """A device with so much free memory."""

    free: int | None = None

    def free_memory(self):
        return self.free


def device_of(free):
    return Sized("gpu", np, None, "NVIDIA Test", "", free)


SHAPES = Shapes(rows=100_000, columns=100_000, nonzeros=50_000_000, rank=500, block=64, itemsize=4)
MATRIX = 2 * 8 * SHAPES.nonzeros


def test_there_is_room_for_everything_on_a_large_device():
    plan = device_plan(SHAPES, 3_140, device_of(80 * GB), None)
    assert plan.capacity == 3_140
    assert plan.room > MATRIX


def test_without_a_limit_nothing_is_shared():
    assert device_plan(SHAPES, 3_140, device_of(None), None) == (3_140, None)
    assert device_plan(SHAPES, 200_000, device_of(None), None).capacity == 100_000


def test_the_basis_shrinks_before_the_matrix_is_streamed():
    plan = device_plan(SHAPES, 3_140, device_of(4_300_000_000), None)
    assert SHAPES.rank + 4 * SHAPES.block <= plan.capacity < 3_140
    assert plan.room > MATRIX


def test_both_give_way_on_a_small_device():
    plan = device_plan(SHAPES, 3_140, device_of(3_200_000_000), None)
    assert plan.capacity < 3_140
    assert 0 < plan.room < MATRIX


def test_the_users_limit_counts_if_it_is_less():
    free = device_plan(SHAPES, 3_140, device_of(4 * GB), None)
    assert device_plan(SHAPES, 3_140, device_of(80 * GB), 4 * GB) == free
    assert device_plan(SHAPES, 3_140, device_of(4 * GB), 80 * GB) == free


def test_too_little_is_refused_with_what_it_takes():
    with pytest.raises(DeviceError, match=r"^gpu: .* about .* GB, and NVIDIA Test has 1\.0 GB free"):
        device_plan(SHAPES, 3_140, device_of(GB), None)
    with pytest.raises(InputError, match=r"^memory: .* need about \d+MB on a GPU, got 954MB"):
        device_plan(SHAPES, 3_140, device_of(80 * GB), GB)


@given(
    st.integers(10**7, 10**11), st.integers(1, 2_000), st.integers(1_000, 10**6), st.integers(10**3, 10**10)
)
def test_what_is_planned_fits(free, rank, side, nonzeros):
    assume(2 * rank < side)
    shapes = SHAPES._replace(rows=side, columns=side, nonzeros=nonzeros, rank=rank)
    try:
        plan = device_plan(shapes, 5 * rank + 640, device_of(free), None)
    except DeviceError:
        return
    assert min(rank + 256, side) <= plan.capacity <= min(5 * rank + 640, side)
    assert plan.room + 4 * side * (plan.capacity + 6 * rank) <= free


def test_what_it_says_it_takes_is_enough():
    with pytest.raises(DeviceError) as caught:
        device_plan(SHAPES, 3_140, device_of(GB), None)
    needed = float(str(caught.value).split("about ")[1].split(" GB")[0])
    assert device_plan(SHAPES, 3_140, device_of(int(1.1 * needed * GB)), None).room > 0
