"""Random bits as a pure function of a key and a position, so that draws do not depend on threads."""

from numba import njit, uint64


@njit(cache=True, nogil=True, inline="always")
def random_bits(key, position):
    """Return 64 random bits: the SplitMix64 stream that starts at `key`, at `position`."""
    z = uint64(key) + (uint64(position) + uint64(1)) * uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


@njit(cache=True, nogil=True, inline="always")
def below(bits, n):
    """Return a whole number in [0, n), n < 2^32, from the lower 32 of 64 random bits."""
    return ((uint64(bits) & uint64(0xFFFFFFFF)) * uint64(n)) >> uint64(32)
