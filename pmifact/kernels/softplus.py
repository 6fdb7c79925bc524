"""log(1 + exp(x)) of many numbers, in loops that the compiler makes vectors of.

With a = |x|, log(1 + exp(x)) = max(x, 0) + log(1 + t), t = exp(-a). The exponential is 2^n times a Taylor
polynomial on |f| <= log(2) / 2; the logarithm is 2 artanh(s), s = t / (2 + t) <= 1/3, by its series. Both
end where the next term is below the last bit: the error is a few units of it.
"""

import math

import numpy as np
from numba import njit

_LOG2_E = 1 / math.log(2)
# log 2 in two parts: products of the first with an integer below 2^11 are exact.
_LOG_2_HIGH = float.fromhex("0x1.62e42feep-1")
_LOG_2_LOW = 1.90821492927058770002e-10
_ROUND = 1.5 * 2.0**52  # added, it leaves the nearest integer in the last bits
_LEAST = -700.0  # exp of less has no normal number; here it is as good as 0


# Division by zero cannot be; without its check the second loop has no branch.
@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def softplus(x, values, powers):
    """Write log(1 + exp(x)) into `values`; all three float64[n], `powers` for use inside."""
    for j in range(len(x)):
        a = max(-abs(x[j]), _LEAST)
        shifted = a * _LOG2_E + _ROUND
        n = shifted - _ROUND
        powers[j] = shifted
        f = (a - n * _LOG_2_HIGH) - n * _LOG_2_LOW
        e = 1 / 6227020800.0
        e = e * f + 1 / 479001600.0
        e = e * f + 1 / 39916800.0
        e = e * f + 1 / 3628800.0
        e = e * f + 1 / 362880.0
        e = e * f + 1 / 40320.0
        e = e * f + 1 / 5040.0
        e = e * f + 1 / 720.0
        e = e * f + 1 / 120.0
        e = e * f + 1 / 24.0
        e = e * f + 1 / 6.0
        e = e * f + 0.5
        e = e * f + 1.0
        values[j] = e * f + 1.0
    bits = powers.view(np.int64)
    for j in range(len(x)):
        bits[j] = (bits[j] + 1023) << 52  # n becomes the exponent of 2^n
    for j in range(len(x)):
        t = values[j] * powers[j]
        s = t / (2.0 + t)
        z = s * s
        q = 1 / 33.0
        q = q * z + 1 / 31.0
        q = q * z + 1 / 29.0
        q = q * z + 1 / 27.0
        q = q * z + 1 / 25.0
        q = q * z + 1 / 23.0
        q = q * z + 1 / 21.0
        q = q * z + 1 / 19.0
        q = q * z + 1 / 17.0
        q = q * z + 1 / 15.0
        q = q * z + 1 / 13.0
        q = q * z + 1 / 11.0
        q = q * z + 1 / 9.0
        q = q * z + 1 / 7.0
        q = q * z + 1 / 5.0
        q = q * z + 1 / 3.0
        values[j] = max(x[j], 0.0) + 2.0 * s * (q * z + 1.0)
