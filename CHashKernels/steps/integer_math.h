/// Base 2: the division and the square root. Their results are needed one iteration later, off the chain of addresses.
#ifndef CHK_STEPS_INTEGER_MATH_H
#define CHK_STEPS_INTEGER_MATH_H

/// What the iteration before contributes to d.lo.
CHK_ALWAYS_INLINE uint64_t integer_math_operand(const lane *lane) {
    return lane->division ^ ((uint64_t)lane->root << 32);
}

CHK_ALWAYS_INLINE void integer_math_advance(lane *lane, uint64_t c_lo, uint64_t c_hi) {
    uint64_t remainder;
    uint64_t quotient = integer_math_divide(c_hi, (uint32_t)c_lo + (lane->root << 1), &remainder);
    lane->division = (quotient & UINT32_MAX) + (remainder << 32);
    lane->root = integer_math_root(c_lo + lane->division);
}

#endif
