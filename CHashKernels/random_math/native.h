/// Machine code of cn/r programs, and how it is called.
#ifndef CHK_NATIVE_H
#define CHK_NATIVE_H

#include "random_math.h"

#if defined(__x86_64__) && defined(__LP64__) && defined(__linux__)
#define CHK_GENERATES_CODE 1
#else
#define CHK_GENERATES_CODE 0
#endif

enum {
    CHK_CODE_BYTES_MAX = 1024,      ///< no program's code is longer
    CHK_WIDE_CODE_BYTES_MAX = 3072, ///< nor is its wide code, constants included
    CHK_CODE_PAGE_BYTES = 4096,     ///< the page that both lie in
    CHK_WIDE_LANES = 8,             ///< how many lanes wide code serves at once
};

/// The registers r0 … r8 of CHK_WIDE_LANES lanes: a row each, in which every lane has its column.
typedef struct chk_register_table {
    _Alignas(32) uint32_t rows[CHK_PROGRAM_REGISTERS][CHK_WIDE_LANES];
} chk_register_table;

/// Runs a program on every column of a table: changes rows 0 … 3.
typedef void chk_wide_run(chk_register_table *table);

/// A program as machine code, in pages that are executable and not writable.
struct chk_code {
    uint64_t height;
    const void *entry;  ///< also where its pages begin
    chk_wide_run *wide; ///< NULL where the CPU has no AVX2
};

/// Whether this CPU and its operating system run AVX2 (dispatch.c).
bool chk_cpu_has_avx2(void);

#if CHK_GENERATES_CODE

/// Writes the program's machine code; its length in bytes.
size_t chk_code_generate(const chk_program *program, uint8_t bytes[CHK_CODE_BYTES_MAX]);

/// Writes a chk_wide_run of the program, in AVX2; its length in bytes.
size_t chk_wide_code_generate(const chk_program *program, uint8_t bytes[CHK_WIDE_CODE_BYTES_MAX]);

/// Runs the code on the registers r0 … r8. It has a calling convention of its own: r0 … r3 in and out by eax, edx, esi
/// and edi, r4 … r8 in by r8d … r12d and left alone, ecx clobbered, the stack and the vector registers not used.
/// The stack pointer steps over the red zone, of which the compiler thinks that nothing is called.
static inline __attribute__((always_inline)) void chk_code_run(const chk_code *code,
                                                               uint32_t registers[CHK_PROGRAM_REGISTERS]) {
    const void *entry = code->entry;
    register uint32_t r4 __asm__("r8") = registers[4];
    register uint32_t r5 __asm__("r9") = registers[5];
    register uint32_t r6 __asm__("r10") = registers[6];
    register uint32_t r7 __asm__("r11") = registers[7];
    register uint32_t r8 __asm__("r12") = registers[8];
    __asm__("leaq -128(%%rsp), %%rsp\n\t"
            "call *%[entry]\n\t"
            "leaq 128(%%rsp), %%rsp"
            : "+a"(registers[0]), "+d"(registers[1]), "+S"(registers[2]), "+D"(registers[3]), [entry] "+c"(entry)
            : "r"(r4), "r"(r5), "r"(r6), "r"(r7), "r"(r8)
            : "cc");
}

#endif
#endif
