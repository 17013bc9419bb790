// The path for AArch64 with the AES extension of ARMv8, in NEON's 128-bit blocks.
#if defined(__aarch64__)

#include "../kernel.h"

#include "../random_math/random_math.h"
#include "../steps/square_root.h"

#include <arm_neon.h>

#define CHK_PATH_RUN       chk_armv8_run
#define CHK_UNROLLED_LANES 5
#define CHK_RUNS_CODE      0

#pragma clang attribute push(__attribute__((target("aes"))), apply_to = function)

#include "armv8_block.h"

#include "../cryptonight.h"

#pragma clang attribute pop

#endif
