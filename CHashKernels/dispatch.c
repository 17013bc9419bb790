// The tables of variants, paths and known answers, and what this CPU can do.
#include "include/kernel_stages.h"
#include "kernel.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

// Variants.

enum {
#define CHK_STEP(name, minimum_bytes, height, ...)                                                                     \
    CHK_STEP_MINIMUM_BYTES_##name = (minimum_bytes), CHK_STEP_NEEDS_HEIGHT_##name = (height),
#include "steps.def"
#undef CHK_STEP
};

#define CHK_KERNEL(canonical, other_names, bytes, passes, mask, step_name)                                             \
    {.variant = {.name = (canonical),                                                                                  \
                 .aliases = (other_names),                                                                             \
                 .scratchpad_bytes = (bytes),                                                                          \
                 .memory_bytes = (mask) + 16,                                                                          \
                 .iterations = (passes),                                                                               \
                 .minimum_input_bytes = CHK_STEP_MINIMUM_BYTES_##step_name,                                            \
                 .needs_height = CHK_STEP_NEEDS_HEIGHT_##step_name},                                                   \
     .address_mask = (mask),                                                                                           \
     .step = CHK_STEP_##step_name},

static const chk_kernel kernels[] = {
#define CHK_VARIANT(symbol, name, aliases, bytes, passes, mask, step)                                                  \
    CHK_KERNEL(name, aliases, bytes, passes, mask, step)
#include "variants.def"
#undef CHK_VARIANT
};

/// The same without a main loop (kernel_stages.h).
static const chk_kernel sweeps[] = {
#define CHK_VARIANT(symbol, name, aliases, bytes, passes, mask, step) CHK_KERNEL(name, aliases, bytes, 0, mask, step)
#include "variants.def"
#undef CHK_VARIANT
};

enum { VARIANT_COUNT = sizeof(kernels) / sizeof(kernels[0]) };

size_t chk_variant_count(void) {
    return VARIANT_COUNT;
}

const chk_kernel *chk_kernel_at(size_t index) {
    if (index >= CHK_SWEEP_ALONE) {
        return index - CHK_SWEEP_ALONE < VARIANT_COUNT ? &sweeps[index - CHK_SWEEP_ALONE] : NULL;
    }
    return index < VARIANT_COUNT ? &kernels[index] : NULL;
}

const chk_variant *chk_variant_at(size_t index) {
    return index < VARIANT_COUNT ? &kernels[index].variant : NULL;
}

// Known answers.

enum {
#define CHK_VARIANT(symbol, ...) CHK_VARIANT_##symbol,
#include "variants.def"
#undef CHK_VARIANT
};

static const chk_known_answer known_answers[] = {
#define CHK_KNOWN_ANSWER(symbol, block_height, input, digest)                                                          \
    {.variant = CHK_VARIANT_##symbol, .height = (block_height), .input_hex = (input), .digest_hex = (digest)},
#include "known_answers.def"
#undef CHK_KNOWN_ANSWER
};

enum { KNOWN_ANSWER_COUNT = sizeof(known_answers) / sizeof(known_answers[0]) };

size_t chk_known_answer_count(void) {
    return KNOWN_ANSWER_COUNT;
}

const chk_known_answer *chk_known_answer_at(size_t index) {
    return index < KNOWN_ANSWER_COUNT ? &known_answers[index] : NULL;
}

// The CPU. CPUID traps in a virtual machine, so it is asked once, before main; the answer never changes afterwards.

typedef struct cpu_features {
    bool aes; ///< AES-NI or AArch64's AES extension
    bool sse41;
    bool avx2, bmi2, vaes;
    bool avx512;                  ///< F, BW, DQ and VL
    bool avx_state, avx512_state; ///< the operating system keeps the registers: of 256 bits, of 512 bits and masks
} cpu_features;

static cpu_features detected;

#if defined(__x86_64__)

/// Bits of XCR0: what the operating system saves and restores.
enum {
    XCR0_SSE_AVX = 0x06,
    XCR0_AVX512 = 0xE0, ///< masks, upper halves of the lower 16 registers, the upper 16 registers
};

static bool has(unsigned int flags, unsigned int wanted) {
    return (flags & wanted) == wanted;
}

static void detect_states(cpu_features *cpu) {
    unsigned int low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    cpu->avx_state = has(low, XCR0_SSE_AVX);
    cpu->avx512_state = has(low, XCR0_SSE_AVX | XCR0_AVX512);
}

static void detect_x86(cpu_features *cpu) {
    unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        return;
    }
    cpu->aes = has(ecx, bit_AES);
    cpu->sse41 = has(ecx, bit_SSE4_1);
    if (has(ecx, bit_OSXSAVE)) {
        detect_states(cpu);
    }
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
        cpu->avx2 = has(ebx, bit_AVX2);
        cpu->bmi2 = has(ebx, bit_BMI2);
        cpu->avx512 = has(ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL);
        cpu->vaes = has(ecx, bit_VAES);
    }
}

#elif defined(__aarch64__)

/// What the kernel says of the CPU: user space can't ask the CPU itself.
static void detect_arm(cpu_features *cpu) {
    cpu->aes = (getauxval(AT_HWCAP) & HWCAP_AES) != 0;
}

#endif

__attribute__((constructor)) static void detect_cpu(void) {
#if defined(__x86_64__)
    detect_x86(&detected);
#elif defined(__aarch64__)
    detect_arm(&detected);
#endif
}

bool chk_cpu_has_aes(void) {
    return detected.aes;
}

bool chk_cpu_has_avx2(void) {
    return detected.avx2 && detected.avx_state;
}

// Paths.

#define CHK_PATH(symbol, ...) extern chk_run chk_##symbol##_run;
#include "isas.def"
#undef CHK_PATH

typedef struct path {
    const char *name;
    chk_run *run;
    bool (*supported)(const cpu_features *cpu);
} path;

#define CHK_PATH(symbol, name, test)                                                                                   \
    static bool symbol##_supported(const cpu_features *cpu) {                                                          \
        (void)cpu;                                                                                                     \
        return test;                                                                                                   \
    }
#include "isas.def"
#undef CHK_PATH

static const path paths[] = {
#define CHK_PATH(symbol, path_name, ...)                                                                               \
    {.name = (path_name), .run = chk_##symbol##_run, .supported = symbol##_supported},
#include "isas.def"
#undef CHK_PATH
};

enum { PATH_COUNT = sizeof(paths) / sizeof(paths[0]) };

size_t chk_path_count(void) {
    return PATH_COUNT;
}

const char *chk_path_name(size_t index) {
    return index < PATH_COUNT ? paths[index].name : NULL;
}

bool chk_path_supported(size_t index) {
    return index < PATH_COUNT && paths[index].supported(&detected);
}

chk_run *chk_path_at(size_t index) {
    return chk_path_supported(index) ? paths[index].run : NULL;
}
