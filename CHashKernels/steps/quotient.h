/// The signed division of the heavy variants.
#ifndef CHK_STEPS_QUOTIENT_H
#define CHK_STEPS_QUOTIENT_H

#include "../kernel.h"

/// n / divisor, where INT64_MIN / −1 wraps to INT64_MIN. The divisor is not 0.
CHK_ALWAYS_INLINE int64_t chk_quotient(int64_t n, int64_t divisor) {
    if (divisor == -1) {
        return (int64_t)(0 - (uint64_t)n);
    }
    return n / divisor;
}

#endif
