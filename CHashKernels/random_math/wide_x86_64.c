// The code generator of cn/r programs for eight lanes at once, in AVX2: the program is the same for all lanes, so each
// of its registers becomes a vector with a lane's word in every element.
#include "native.h"

#if CHK_GENERATES_CODE

#include "code_writer.h"

/// The machine's vector registers beyond r0 … r8, which are the first nine.
enum { SCRATCH = 9, OTHER_SCRATCH = 10, ALL_31 = 11, ALL_32 = 12 };

/// The number of the general register that holds the table's address.
enum { RDI = 7 };

/// Opcodes, each with its map in the high byte.
enum {
    LOAD = 0x16F,
    STORE = 0x17F,
    ADD = 0x1FE,
    SUBTRACT = 0x1FA,
    MULTIPLY = 0x240,
    AND = 0x1DB,
    OR = 0x1EB,
    XOR = 0x1EF,
    EQUAL = 0x176,
    SHIFT_LEFT = 0x247,
    SHIFT_RIGHT = 0x245,
    SHIFT_BY_CONSTANT = 0x172, ///< to the right, with 2 in place of a destination
    BROADCAST = 0x258,
};

/// VEX prefix of 256 bits and opcode, for registers by number.
static void put_opcode(writer *to, unsigned opcode, unsigned destination, unsigned first, unsigned second) {
    put(to, 0xC4);
    put(to, (uint8_t)((destination > 7 ? 0 : 0x80) | 0x40 | (second > 7 ? 0 : 0x20) | opcode >> 8));
    put(to, (uint8_t)((~first & 15) << 3 | 0x05));
    put(to, (uint8_t)opcode);
}

/// destination = first · second, element by element.
static void put_vector(writer *to, unsigned opcode, unsigned destination, unsigned first, unsigned second) {
    put_opcode(to, opcode, destination, first, second);
    put(to, (uint8_t)(0xC0 | (destination & 7) << 3 | (second & 7)));
}

/// Moves between a register and the table's row of the same number.
static void put_row(writer *to, unsigned opcode, unsigned row) {
    put_opcode(to, opcode, row, 0, RDI);
    put(to, (uint8_t)(0x80 | (row & 7) << 3 | RDI));
    put_word(to, row * CHK_WIDE_LANES * sizeof(uint32_t));
}

/// Rotates: a variable shift by 32 leaves nothing, so a rotation by 0 comes out right.
static void put_rotation(writer *to, unsigned there, unsigned back, unsigned destination, unsigned source) {
    put_vector(to, AND, SCRATCH, source, ALL_31);
    put_vector(to, SUBTRACT, OTHER_SCRATCH, ALL_32, SCRATCH);
    put_vector(to, there, SCRATCH, destination, SCRATCH);
    put_vector(to, back, OTHER_SCRATCH, destination, OTHER_SCRATCH);
    put_vector(to, OR, destination, SCRATCH, OTHER_SCRATCH);
}

/// Adds the source and the constant at `distance` from the end of the instruction that loads it.
static void put_addition(writer *to, unsigned destination, unsigned source, const uint8_t *constant) {
    enum { RELATIVE_TO_NEXT = 0x05, DISTANCE_BYTES = 4 };
    put_opcode(to, BROADCAST, SCRATCH, 0, 0);
    put(to, RELATIVE_TO_NEXT | (SCRATCH & 7) << 3);
    put_word(to, (uint32_t)(constant - (to->next + DISTANCE_BYTES)));
    put_vector(to, ADD, SCRATCH, SCRATCH, source);
    put_vector(to, ADD, destination, destination, SCRATCH);
}

static void put_instruction(writer *to, const chk_instruction *instruction, const uint8_t *constant) {
    const unsigned destination = instruction->destination, source = instruction->source;
    switch (instruction->operation) {
    case CHK_MUL:
        put_vector(to, MULTIPLY, destination, destination, source);
        break;
    case CHK_ADD:
        put_addition(to, destination, source, constant);
        break;
    case CHK_SUB:
        put_vector(to, SUBTRACT, destination, destination, source);
        break;
    case CHK_ROR:
        put_rotation(to, SHIFT_RIGHT, SHIFT_LEFT, destination, source);
        break;
    case CHK_ROL:
        put_rotation(to, SHIFT_LEFT, SHIFT_RIGHT, destination, source);
        break;
    default:
        put_vector(to, XOR, destination, destination, source);
        break;
    }
}

enum { INSTRUCTION_BYTES_MAX = 25, FRAME_BYTES = 192 };
_Static_assert(CHK_PROGRAM_CAPACITY *(INSTRUCTION_BYTES_MAX + sizeof(uint32_t)) + FRAME_BYTES <=
                   CHK_WIDE_CODE_BYTES_MAX,
               "the longest program's code has room");

static void put_entry(writer *to) {
    put_word(to, 0xFA1E0FF3); // ENDBR64: a target of indirect calls
    put_vector(to, EQUAL, ALL_32, ALL_32, ALL_32);
    put_opcode(to, SHIFT_BY_CONSTANT, 2, ALL_31, ALL_32);
    put(to, 0xC0 | 2 << 3 | (ALL_32 & 7));
    put(to, 27);
    put_vector(to, SUBTRACT, ALL_32, ALL_31, ALL_32);
    for (unsigned row = 0; row < CHK_PROGRAM_REGISTERS; row++)
        put_row(to, LOAD, row);
}

static void put_exit(writer *to) {
    for (unsigned row = 0; row < CHK_PROGRAM_VARIABLES; row++)
        put_row(to, STORE, row);
    put(to, 0xC5), put(to, 0xF8), put(to, 0x77); // VZEROUPPER
    put(to, 0xC3);                               // RET
}

size_t chk_wide_code_generate(const chk_program *program, uint8_t bytes[CHK_WIDE_CODE_BYTES_MAX]) {
    // The constants lie at the far end of the code's room, where the instructions cannot reach.
    const uint8_t *constants = bytes + CHK_WIDE_CODE_BYTES_MAX - CHK_PROGRAM_CAPACITY * sizeof(uint32_t);
    writer to = {bytes};
    put_entry(&to);
    for (uint32_t i = 0; i < program->count; i++)
        put_instruction(&to, &program->code[i], constants + i * sizeof(uint32_t));
    put_exit(&to);
    to.next = bytes + (constants - bytes);
    for (uint32_t i = 0; i < CHK_PROGRAM_CAPACITY; i++)
        put_word(&to, i < program->count ? program->code[i].constant : 0);
    return CHK_WIDE_CODE_BYTES_MAX;
}

#endif
