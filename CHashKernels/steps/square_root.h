/// The integer square root of base 2: floor(2·sqrt(2^64 + n)) − 2^33, exact for every n.
#ifndef CHK_STEPS_SQUARE_ROOT_H
#define CHK_STEPS_SQUARE_ROOT_H

#include "../kernel.h"

/// Whether r ≤ 2·sqrt(2^64 + n) − 2^33. With r = 2s + b the squared inequality, divided by four, becomes
/// s·(s + b) + r·2^32 + b/4 ≤ n.
static inline bool chk_root_fits(uint64_t r, uint64_t n) {
    uint64_t half = r >> 1, odd = r & 1;
    uint64_t square = half * (half + odd);
    uint64_t linear = r << 32;
    return linear <= n && square <= n - linear && square + odd <= n - linear;
}

/// Bit by bit, in integers alone. The largest root is below 2^32.
static inline uint32_t chk_square_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit != 0; bit >>= 1) {
        if (chk_root_fits(root + bit, n)) {
            root += bit;
        }
    }
    return (uint32_t)root;
}

#endif
