// What a hash asks for, and what the arithmetic among it costs at least.
#include "include/memory_ceiling.h"
#include "isa/aes_table.h"
#include "kernel.h"
#include "steps/quotient.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

uint64_t chk_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

static const chk_step steps[] = {
#define CHK_STEP(name, minimum_bytes, needs_height, ...) [CHK_STEP_##name] = {__VA_ARGS__},
#include "steps.def"
#undef CHK_STEP
};

chk_status chk_demand_of(size_t variant, chk_demand *demand) {
    const chk_kernel *kernel = chk_kernel_at(variant);
    if (kernel == NULL || demand == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    const chk_step *step = &steps[kernel->step];
    // The heavy variants sweep twice over the scratchpad after the main loop.
    uint32_t sweeps = step->heavy ? 3 : 2;
    *demand = (chk_demand){
        .walked_bytes = kernel->address_mask + 16,
        .line_accesses = step->heavy ? 3 : 2,
        .aes_rounds = step->chained_columns ? 4 : 1,
        .sweep_rounds = kernel->variant.scratchpad_bytes / 16 * 10 * sweeps,
        .divides = step->heavy,
        .divides_and_roots = step->integer_math,
    };
    return CHK_OK;
}

// Arithmetic. An operation takes the chain's two words and leaves two others.

typedef struct chain {
    uint64_t words[2];
} chain;

CHK_ALWAYS_INLINE chain operation_table(chain x) {
    uint8_t bytes[16];
    uint32_t columns[4];
    memcpy(bytes, x.words, sizeof(bytes));
    for (unsigned i = 0; i < 4; i++) {
        uint32_t b = chk_aes_table[bytes[(4 * i + 5) % 16]], c = chk_aes_table[bytes[(4 * i + 10) % 16]],
                 d = chk_aes_table[bytes[(4 * i + 15) % 16]];
        columns[i] = chk_aes_table[bytes[4 * i]] ^ (b << 8 | b >> 24) ^ (c << 16 | c >> 16) ^ (d << 24 | d >> 8);
    }
    memcpy(x.words, columns, sizeof(columns));
    return x;
}

/// The second word keeps the dividend at 64 bits, so that the division is never a short one.
CHK_ALWAYS_INLINE chain operation_division(chain x) {
    int64_t dividend = (int64_t)(x.words[0] ^ x.words[1]);
    x.words[0] = (uint64_t)chk_quotient(dividend, (int32_t)x.words[1] | 5);
    x.words[1] += UINT64_C(0x9E3779B97F4A7C15);
    return x;
}

CHK_ALWAYS_INLINE chain operation_root(chain x) {
    uint64_t divisor = (uint32_t)x.words[0] | 0x80000001, dividend = x.words[0] ^ x.words[1];
    uint64_t sum = dividend / divisor + (dividend % divisor << 32);
    double root = __builtin_elementwise_sqrt((double)(sum >> 1) + 18446744073709551616.0);
    memcpy(&x.words[0], &root, sizeof(root));
    x.words[0] ^= sum;
    return x;
}

/// Chains of a constant number stay in registers.
#define CHK_CHAIN_LOOP(operation)                                                                                      \
    CHK_ALWAYS_INLINE void operation##_loop(chain *chains, size_t number, uint64_t count) {                            \
        for (; count > 0; count--) {                                                                                   \
            _Pragma("unroll") for (size_t k = 0; k < number; k++) {                                                    \
                chains[k] = operation(chains[k]);                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void operation##_run(chain *chains, size_t number, uint64_t count) {                                        \
        if (number == 1) {                                                                                             \
            operation##_loop(chains, 1, count);                                                                        \
        } else {                                                                                                       \
            operation##_loop(chains, CHK_ARITHMETIC_CHAINS, count);                                                    \
        }                                                                                                              \
    }

CHK_CHAIN_LOOP(operation_table)
CHK_CHAIN_LOOP(operation_division)
CHK_CHAIN_LOOP(operation_root)

#if defined(__x86_64__) || defined(__aarch64__)
#pragma clang attribute push(__attribute__((target("aes"))), apply_to = function)
#if defined(__x86_64__)
typedef __m128i round_block;

CHK_ALWAYS_INLINE round_block operation_round(round_block x) {
    return _mm_aesenc_si128(x, _mm_setzero_si128());
}
#else
typedef uint8x16_t round_block;

CHK_ALWAYS_INLINE round_block operation_round(round_block x) {
    return vaesmcq_u8(vaeseq_u8(x, vdupq_n_u8(0)));
}
#endif

CHK_ALWAYS_INLINE void rounds_loop(round_block *blocks, size_t number, uint64_t count) {
    for (; count > 0; count--) {
        _Pragma("unroll") for (size_t k = 0; k < number; k++) {
            blocks[k] = operation_round(blocks[k]);
        }
    }
}

static void rounds_run(chain *chains, size_t number, uint64_t count) {
    round_block blocks[CHK_ARITHMETIC_CHAINS];
    memcpy(blocks, chains, sizeof(blocks));
    if (number == 1) {
        rounds_loop(blocks, 1, count);
    } else {
        rounds_loop(blocks, CHK_ARITHMETIC_CHAINS, count);
    }
    memcpy(chains, blocks, sizeof(blocks));
}
#pragma clang attribute pop
#else
static void rounds_run(chain *chains, size_t number, uint64_t count) {
    operation_table_run(chains, number, count);
}
#endif

chk_status chk_arithmetic_run(chk_arithmetic kind, size_t chains, uint64_t count, uint64_t *results) {
    static void (*const runs[CHK_ARITHMETIC_KINDS])(chain *, size_t, uint64_t) = {
        [CHK_ARITHMETIC_AES] = rounds_run,
        [CHK_ARITHMETIC_AES_TABLE] = operation_table_run,
        [CHK_ARITHMETIC_DIVISION] = operation_division_run,
        [CHK_ARITHMETIC_ROOT] = operation_root_run,
    };
    if ((unsigned)kind >= CHK_ARITHMETIC_KINDS || (chains != 1 && chains != CHK_ARITHMETIC_CHAINS) || results == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    if (kind == CHK_ARITHMETIC_AES && !chk_cpu_has_aes()) {
        return CHK_NO_SUCH_PATH;
    }
    chain array[CHK_ARITHMETIC_CHAINS];
    for (size_t k = 0; k < CHK_ARITHMETIC_CHAINS; k++) {
        array[k] = (chain){{UINT64_C(0xE0C4A58F12D39B77) * (2 * k + 1), UINT64_C(0x9D3F5E7182C6A40B) * (2 * k + 1)}};
    }
    runs[kind](array, chains, count);
    for (size_t k = 0; k < chains; k++) {
        results[k] = array[k].words[0];
    }
    return CHK_OK;
}
