/// The heavy variants' third access.
#ifndef CHK_STEPS_HEAVY_H
#define CHK_STEPS_HEAVY_H

CHK_ALWAYS_INLINE void third_access(const loop *loop, lane *lane) {
    uint8_t *at = lane->pad + (lane->address & loop->mask);
    int64_t dividend = (int64_t)word_load(at);
    int32_t divisor;
    memcpy(&divisor, at + 8, sizeof(divisor));
    int64_t quotient = signed_quotient(dividend, divisor | 5);
    word_store(at, (uint64_t)(dividend ^ quotient));
    lane->address = (uint64_t)((loop->step->inverted ? ~divisor : divisor) ^ quotient);
    expect_access(loop, lane, lane->address);
}

#endif
