$HEADLINE

import numpy as np

f32 = np.float32

# Elements of tables.
TABLES = $TABLES


def choose(condition, then, otherwise):
    """`then` where the condition holds, otherwise `otherwise`, in single precision."""
    return np.where(condition, np.asarray(then, f32), np.asarray(otherwise, f32))


def smaller(a, b):
    """The smaller one; the second one, if one of them is no number."""
    return choose(a < b, a, b)


def larger(a, b):
    """The larger one; the second one, if one of them is no number."""
    return choose(a > b, a, b)


def element(table, index):
    """An element of a table; the nearest one, if there is none."""
    last = len(table) - 1
    return table[np.nan_to_num(np.clip(index, 0, last)).astype(np.int64)]


def bits_of(x):
    return np.asarray(x, f32).view(np.uint32)


def of_bits(bits):
    return np.asarray(bits, np.uint32).view(f32)


class Arithmetic:
    """Single precision in one of the two classes of bits: a multiply-add is rounded once, or twice.

    The elementary functions are polynomials: those of Moshier's Cephes library, and a rational function for `tanh`.
    """

    def __init__(self, fused):
        self.fused = fused

    def multiply_add(self, a, b, c):
        """`a * b + c`"""
        a, b, c = (np.asarray(x, f32) for x in (a, b, c))
        if not self.fused:
            return a * b + c
        # The product is exact in double precision. The sum is rounded to odd; then rounding it to single precision
        # gives what one rounding gives (Boldo and Melquiond 2008).
        product, c = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
        total = np.asarray(product + c)
        rest = total - product
        error = (product - (total - rest)) + (c - rest)
        bits = total.view(np.int64)
        away = np.where((error > 0) == (total > 0), 1, -1)
        inexact = (error != 0) & (bits & 1 == 0) & np.isfinite(total)
        return np.where(inexact, bits + away, bits).view(np.float64).astype(f32)

    def polynomial(self, x, first, *rest):
        """Horner's rule; the coefficient of the highest power comes first."""
        total = f32(first)
        for coefficient in rest:
            total = self.multiply_add(total, x, coefficient)
        return total

    def round_product(self, x, by):
        """`x * by` rounded to a whole number, as a float and as a word."""
        rounder = f32(12582912.0)  # 1.5 * 2^23: below the point, nothing is left of a sum with it.
        rounded = np.asarray(self.multiply_add(x, by, rounder))
        return rounded - rounder, bits_of(rounded).astype(np.int64) - int(bits_of(rounder))

    def exp(self, x):
        # Beyond these arguments the result is zero or infinite.
        x = smaller(90.0, larger(-105.0, np.asarray(x, f32)))
        # x = n ln 2 + r, with ln 2 in two parts.
        n, word = self.round_product(x, 1.442695)
        r = self.multiply_add(-n, 0.693359375, x)
        r = self.multiply_add(-n, -2.1219444e-4, r)
        p = self.polynomial(r, 1.9875691e-4, 1.3981999e-3, 8.333452e-3, 4.1665796e-2, 1.6666665e-1, 5e-1)
        p = self.multiply_add(p, r * r, r) + f32(1.0)
        # 2^n in two factors, because it alone may be beyond the normal numbers. 127 is the bias of exponents.
        half = word >> 1
        first, second = (of_bits(((part + 127) << 23) & 0xFFFFFFFF) for part in (half, word - half))
        return p * first * second

    def log(self, x):
        x = np.asarray(x, f32)
        # Denormal numbers are scaled up by 2^23 first.
        is_tiny = x < f32(1.1754944e-38)
        scaled = choose(is_tiny, x * f32(8388608.0), x)
        root_half = 0x3F3504F3  # The bits of sqrt(1/2).
        # scaled = 2^e (1 + f), with 1 + f between sqrt(1/2) and sqrt(2).
        offset = bits_of(scaled).astype(np.int64) - root_half
        e = (offset >> 23).astype(f32) - choose(is_tiny, 23.0, 0.0)
        f = of_bits((offset & 0x7FFFFF) + root_half) - f32(1.0)
        square = f * f
        p = self.polynomial(
            f,
            7.0376836e-2,
            -1.151461e-1,
            1.16769984e-1,
            -1.2420141e-1,
            1.4249323e-1,
            -1.6668058e-1,
            2.0000714e-1,
            -2.4999994e-1,
            3.333333e-1,
        )
        p = p * f * square
        p = self.multiply_add(e, -2.1219444e-4, p)
        p = self.multiply_add(-square, 0.5, p)
        y = self.multiply_add(e, 0.693359375, f + p)
        y = choose(x < f32(np.inf), y, x)
        y = choose(x == 0, -np.inf, y)
        return choose(x < 0, np.nan, y)

    def tanh(self, x):
        x = smaller(9.0, larger(-9.0, np.asarray(x, f32)))
        square = x * x
        p = self.polynomial(square, -1.1208155e-11, 2.9166694e-8, 2.739618e-5, 3.837535e-3, 0.13655242, 1.0)
        q = self.polynomial(square, 1.2453036e-6, 3.884667e-4, 2.7132807e-2, 0.46988574, 1.0)
        return smaller(1.0, larger(-1.0, x * p / q))

    def sin(self, x):
        return self.sin_cos(x)[0]

    def cos(self, x):
        return self.sin_cos(x)[1]

    def sin_cos(self, x):
        x = np.asarray(x, f32)
        # x = n pi / 2 + r, with pi / 2 in three parts whose products with n are exact (Cody-Waite reduction).
        n, quarters = self.round_product(x, 0.63661975)
        r = self.multiply_add(-n, 201 / 128, x)
        r = self.multiply_add(-n, 2029 / 4194304, r)
        r = self.multiply_add(-n, 7.54979e-8, r)
        near = self.quarter_sin_cos(r, quarters)
        is_near, far = np.abs(x) < 8192, x.astype(np.float64)
        return choose(is_near, near[0], np.sin(far)), choose(is_near, near[1], np.cos(far))

    def quarter_sin_cos(self, r, quarters):
        """Sine and cosine of `quarters * pi / 2 + r`."""
        square = r * r
        sine = self.polynomial(square, -1.9515296e-4, 8.332161e-3, -1.6666655e-1)
        sine = self.multiply_add(sine * square, r, r)
        cosine = self.polynomial(square, 2.4433157e-5, -1.3887316e-3, 4.1666646e-2)
        cosine = self.multiply_add(cosine * square, square, self.multiply_add(-0.5, square, 1.0))
        is_even = quarters & 1 == 0
        s, c = choose(is_even, sine, cosine), choose(is_even, cosine, sine)
        return choose(quarters & 2 == 0, s, -s), choose((quarters + 1) & 2 == 0, c, -c)

    def wrap(self, x):
        """An angle wrapped to half a turn either way."""
        x = np.asarray(x, f32)
        n, _ = self.round_product(x, 0.15915494)
        r = self.multiply_add(-n, 201 / 32, x)
        r = self.multiply_add(-n, 2029 / 1048576, r)
        r = self.multiply_add(-n, 3.019916e-7, r)
        far = x.astype(np.float64)
        return choose(np.abs(x) > 8192, far - 2 * np.pi * np.round(far / (2 * np.pi)), r)


class Draws:
    """The random numbers of a step of some worlds: a function of seed, stream, world, episode, step and block."""

    def __init__(self, seed, stream, worlds, episodes, steps):
        self.key = seed, stream
        self.worlds, self.episodes, self.steps = (np.asarray(x, np.uint64) for x in (worlds, episodes, steps))

    def words(self, block):
        """Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): four words."""
        low = np.uint64(0xFFFFFFFF)
        half = np.uint64(32)
        a, b = self.worlds & low, self.worlds >> half
        c, d = self.episodes & low, (self.steps << np.uint64(8) | np.uint64(block)) & low
        first, second = self.key
        for _ in range(10):
            left, right = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
            a, b = (right >> half) ^ b ^ np.uint64(first), right & low
            c, d = (left >> half) ^ d ^ np.uint64(second), left & low
            first, second = (first + 0x9E3779B9) & 0xFFFFFFFF, (second + 0xBB67AE85) & 0xFFFFFFFF
        return a, b, c, d

    def uniform(self, block):
        """Four numbers in [0, 1)."""
        return [(word >> np.uint64(8)).astype(f32) * f32(2.0**-24) for word in self.words(block)]

    def normal(self, block):
        """Four standard normal numbers (Box and Muller 1958), which have the same bits in both classes."""
        m = Arithmetic(fused=False)
        a, b, c, d = self.words(block)
        numbers = []
        for one, other in (a, b), (c, d):
            distance = ((one >> np.uint64(1)).astype(f32) + f32(0.5)) * f32(2.0**-31)
            radius = np.sqrt(f32(-2.0) * m.log(distance))
            turn = (other >> np.uint64(8)).astype(f32) * f32(2.0**-24)
            n, quarters = m.round_product(turn, 4.0)
            sine, cosine = m.quarter_sin_cos((turn * f32(4.0) - n) * f32(1.5707964), quarters)
            numbers += [radius * cosine, radius * sine]
        return numbers
