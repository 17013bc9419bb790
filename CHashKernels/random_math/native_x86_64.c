// The code generator of cn/r programs for x86-64. Every instruction becomes one or two of the machine's, in order: the
// programs are scheduled already, for a CPU that is like a real one.
#include "native.h"

#if CHK_GENERATES_CODE

#include "code_writer.h"

/// The machine's numbers of its registers.
enum { EAX = 0, ECX = 1, EDX = 2, ESI = 6, EDI = 7, R8D = 8, R9D = 9, R10D = 10, R11D = 11, R12D = 12 };

/// Where r0 … r8 are: the convention of chk_code_run. ECX is left for the rotations, which count with it.
static const uint8_t number_of[CHK_PROGRAM_REGISTERS] = {EAX, EDX, ESI, EDI, R8D, R9D, R10D, R11D, R12D};

/// The prefix of an instruction that names a register beyond EDI, in the fields `reg` and `rm` of ModRM.
static void put_prefix(writer *to, unsigned reg, unsigned rm) {
    if (reg > EDI || rm > EDI)
        put(to, (uint8_t)(0x40 | (reg > EDI) << 2 | (rm > EDI)));
}

/// ModRM for two registers; an instruction with one has a digit of its opcode as `reg`.
static void put_registers(writer *to, unsigned reg, unsigned rm) {
    put(to, (uint8_t)(0xC0 | (reg & 7) << 3 | (rm & 7)));
}

/// An instruction of one opcode byte that changes `destination` by `source`.
static void put_plain(writer *to, uint8_t opcode, unsigned destination, unsigned source) {
    put_prefix(to, source, destination);
    put(to, opcode);
    put_registers(to, source, destination);
}

static void put_multiplication(writer *to, unsigned destination, unsigned source) {
    put_prefix(to, destination, source);
    put(to, 0x0F);
    put(to, 0xAF);
    put_registers(to, destination, source);
}

/// LEA of destination + source + constant, which is one operation where two additions are two.
static void put_addition(writer *to, unsigned destination, unsigned source, uint32_t constant) {
    if (source > EDI)
        put(to, 0x42);
    put(to, 0x8D);
    put(to, (uint8_t)(0x84 | destination << 3));
    put(to, (uint8_t)((source & 7) << 3 | destination));
    put_word(to, constant);
}

/// Rotates by ECX; the CPU takes the count mod 32.
static void put_rotation(writer *to, unsigned digit, unsigned destination, unsigned source) {
    put_plain(to, 0x89, ECX, source);
    put(to, 0xD3);
    put_registers(to, digit, destination);
}

static void put_instruction(writer *to, const chk_instruction *instruction) {
    const unsigned destination = number_of[instruction->destination], source = number_of[instruction->source];
    switch (instruction->operation) {
    case CHK_MUL:
        put_multiplication(to, destination, source);
        break;
    case CHK_ADD:
        put_addition(to, destination, source, instruction->constant);
        break;
    case CHK_SUB:
        put_plain(to, 0x29, destination, source);
        break;
    case CHK_ROR:
        put_rotation(to, 1, destination, source);
        break;
    case CHK_ROL:
        put_rotation(to, 0, destination, source);
        break;
    default:
        put_plain(to, 0x31, destination, source);
        break;
    }
}

enum { INSTRUCTION_BYTES_MAX = 8, FRAME_BYTES = 5 };
_Static_assert(CHK_PROGRAM_CAPACITY *INSTRUCTION_BYTES_MAX + FRAME_BYTES <= CHK_CODE_BYTES_MAX,
               "the longest program's code has room");

size_t chk_code_generate(const chk_program *program, uint8_t bytes[CHK_CODE_BYTES_MAX]) {
    writer to = {bytes};
    put_word(&to, 0xFA1E0FF3); // ENDBR64: a target of indirect calls
    for (uint32_t i = 0; i < program->count; i++)
        put_instruction(&to, &program->code[i]);
    put(&to, 0xC3); // RET
    return (size_t)(to.next - bytes);
}

#endif
