// The path for x86-64 with AES-NI and SSE4.1, in 128-bit blocks.
#if defined(__x86_64__)

#include "../kernel.h"

#include "../random_math/random_math.h"
#include "../steps/square_root.h"

#include <immintrin.h>

#define CHK_PATH_RUN       chk_aesni_run
#define CHK_UNROLLED_LANES 5
#define CHK_RUNS_CODE      1

#pragma clang attribute push(__attribute__((target("aes,sse4.1,prfchw"))), apply_to = function)

#include "x86_block.h"

#include "../cryptonight.h"

#pragma clang attribute pop

#endif
