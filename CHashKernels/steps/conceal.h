/// cn/ccx: float arithmetic on the loaded block, in single precision, each operation rounded by itself.
#ifndef CHK_STEPS_CONCEAL_H
#define CHK_STEPS_CONCEAL_H

#include "../kernel.h"

/// The sign and mantissa of `value` with the exponent of 2: the result lies in ±[2, 4).
static inline float chk_conceal_clamp(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bits = (bits & UINT32_C(0x807FFFFF)) | UINT32_C(0x40000000);
    memcpy(&value, &bits, sizeof(bits));
    return value;
}

/// `value` cut to an integer; INT32_MIN where it does not fit, as x86 has it.
static inline int32_t chk_conceal_truncate(float value) {
    return value >= -0x1p31F && value < 0x1p31F ? (int32_t)value : INT32_MIN;
}

/// Changes one word of a block and the float that goes with it.
static inline uint32_t chk_conceal_word(uint32_t word, float *carry) {
#pragma STDC FP_CONTRACT OFF
    float sum = (float)(int32_t)word + *carry;
    float square = sum * sum;
    float cube = sum * square;
    float scaled = chk_conceal_clamp(*carry) * 536870880.0F;
    *carry = *carry + chk_conceal_clamp(cube);
    return word ^ (uint32_t)chk_conceal_truncate(scaled);
}

#endif
