/// Base 1: the change to byte 11 of a stored block.
#ifndef CHK_STEPS_TWEAK_H
#define CHK_STEPS_TWEAK_H

#include "../kernel.h"

/// What is xored to a byte `t`, by its bits 0, 4 and 5.
CHK_ALWAYS_INLINE uint32_t chk_tweak_bits(uint32_t t) {
    uint32_t index = ((t >> 3) & 6) | (t & 1);
    return (UINT32_C(0x75310) >> (2 * index)) & 0x30;
}

#endif
