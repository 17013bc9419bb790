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
    CHK_CODE_BYTES_MAX = 1024, ///< no program's code is longer
};

/// A program as machine code, in pages that are executable and not writable.
struct chk_code {
    uint64_t height;
    const void *entry; ///< also where its pages begin
};

#if CHK_GENERATES_CODE

/// Writes the program's machine code; its length in bytes.
size_t chk_code_generate(const chk_program *program, uint8_t bytes[CHK_CODE_BYTES_MAX]);

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
