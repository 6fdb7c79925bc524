"""Bytes in memory by their address, many at a time.

An array that is handed to a function in a loop is counted as held and let go again, which takes longer than
what is done to a short token; an address is a number. It is good for as long as the array is held.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types, uint64
from numba.extending import intrinsic

RUN = 32  # bytes that `run_length` looks at


@intrinsic
def word_at(typing_context, address):
    """Return the eight bytes from an address on, aligned or not, as a number (little-endian)."""

    def codegen(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(pointer, align=1)

    return types.uint64(types.int64), codegen


@intrinsic
def _byte_at(typing_context, address):
    """Return the byte at an address."""

    def codegen(context, builder, signature, arguments):
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))

    return types.uint8(types.int64), codegen


@intrinsic
def run_length(typing_context, address, ranges):
    """Return how many bytes from an address on, RUN at most, lie in a range before the first that does not.

    All RUN bytes are read. ranges: the first and last of one, of the next, ..., as uint8.
    """

    def codegen(context, builder, signature, arguments):
        i8, i32 = ir.IntType(8), ir.IntType(32)
        vector = ir.VectorType(i8, RUN)
        zeros = ir.Constant(ir.VectorType(i32, RUN), [0] * RUN)

        def everywhere(value):
            first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, i32(0))
            return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)

        data = builder.load(builder.inttoptr(arguments[0], vector.as_pointer()), align=1)
        inside = ir.Constant(ir.VectorType(ir.IntType(1), RUN), [0] * RUN)
        for k in range(0, len(ranges), 2):
            low, high = (builder.extract_value(arguments[1], k + end) for end in (0, 1))
            offsets = builder.sub(data, everywhere(low))
            found = builder.icmp_unsigned("<=", offsets, everywhere(builder.sub(high, low)))
            inside = builder.or_(inside, found)
        outside = builder.not_(builder.bitcast(inside, i32))
        return builder.zext(builder.cttz(outside, ir.Constant(ir.IntType(1), 0)), ir.IntType(64))

    return types.int64(types.int64, ranges), codegen


@njit(inline="always")
def short_word(at, length, limit):
    """Return the `length` < 8 bytes from `at` on as a number; bytes from `limit` on are not read."""
    if at + 8 <= limit:
        word = word_at(at) & ((uint64(1) << uint64(8 * length)) - uint64(1))
    else:
        word = uint64(0)
        for k in range(length):
            word |= uint64(_byte_at(at + k)) << uint64(8 * k)
    return word


@njit(inline="always")
def last_word(at, length):
    """Return what is left of 8 bytes or more after whole words, as a number; 0 if nothing is."""
    rest = length & 7
    word = uint64(0)
    if rest:
        word = word_at(at + length - 8) >> uint64(64 - 8 * rest)
    return word


@njit(inline="always")
def address_of(array):
    """Return where the values of a contiguous array begin."""
    return np.int64(array.ctypes.data)
