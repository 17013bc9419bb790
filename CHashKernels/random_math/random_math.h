/// The random programs of cn/r: the interpreter, which is also the judge of any generated code.
#ifndef CHK_RANDOM_MATH_H
#define CHK_RANDOM_MATH_H

#include "hash_kernels.h"

enum {
    CHK_PROGRAM_REGISTERS = 9,             ///< r0 … r3 are read and written, r4 … r8 only read
    CHK_PROGRAM_VARIABLES = 4,             ///< registers that an instruction may write
    CHK_PROGRAM_MINIMUM_INSTRUCTIONS = 60, ///< fewest instructions in a program
};

/// What an instruction does with destination d, source s and constant C; all in 32 bits.
typedef enum chk_operation {
    CHK_MUL = 0, ///< d *= s
    CHK_ADD,     ///< d += s + C
    CHK_SUB,     ///< d -= s
    CHK_ROR,     ///< d rotated right by s mod 32
    CHK_ROL,     ///< d rotated left by s mod 32
    CHK_XOR,     ///< d ^= s
} chk_operation;

/// Whether every instruction is one that there is, on registers that there are.
static inline bool chk_program_is_sound(const chk_program *program) {
    if (program->count > CHK_PROGRAM_CAPACITY)
        return false;
    for (uint32_t i = 0; i < program->count; i++) {
        const chk_instruction *instruction = &program->code[i];
        if (instruction->operation > CHK_XOR || instruction->destination >= CHK_PROGRAM_VARIABLES ||
            instruction->source >= CHK_PROGRAM_REGISTERS)
            return false;
    }
    return true;
}

/// `word` rotated left by `bits` mod 32.
static inline uint32_t chk_rotate_left(uint32_t word, uint32_t bits) {
    return word << (bits & 31) | word >> (-bits & 31);
}

/// Runs a program that chk_program_make made, instruction by instruction.
static inline void chk_program_run(const chk_program *program, uint32_t registers[CHK_PROGRAM_REGISTERS]) {
    for (uint32_t i = 0; i < program->count; i++) {
        const chk_instruction *instruction = &program->code[i];
        uint32_t *destination = &registers[instruction->destination];
        const uint32_t source = registers[instruction->source];
        switch (instruction->operation) {
        case CHK_MUL:
            *destination *= source;
            break;
        case CHK_ADD:
            *destination += source + instruction->constant;
            break;
        case CHK_SUB:
            *destination -= source;
            break;
        case CHK_ROR:
            *destination = chk_rotate_left(*destination, -source);
            break;
        case CHK_ROL:
            *destination = chk_rotate_left(*destination, source);
            break;
        default:
            *destination ^= source;
            break;
        }
    }
}

/// chk_program_run as a call: what is in the caller's registers stays there when the call is not made.
void chk_program_interpret(const chk_program *program, uint32_t registers[CHK_PROGRAM_REGISTERS]);

#endif
