// The generator of cn/r programs. It draws instructions from a byte stream that the height seeds, and schedules them on
// an imagined CPU of three ALUs, so that every program keeps such a CPU busy for about 45 cycles.
#include "../finals/finals.h"
#include "random_math.h"

#include <string.h>

enum {
    REGISTERS = CHK_PROGRAM_REGISTERS,
    VARIABLES = CHK_PROGRAM_VARIABLES,
    ALUS = 3,
    CYCLES = 45,          // latency that every variable must reach
    MOST_DRAWS = 256,     // in one attempt
    MOST_RETRIES = 64,    // draws of one attempt that would end too late
    MOST_WAIT_CYCLES = 7, // a longer wait for operands or an ALU drops the draw
    ROTATION_SPACING = 2, // cycles per earlier rotation before the next may start
    LAST_REGISTER = 8,    // stands in where an operation on itself would be void; every program must read it
};

static const uint8_t cycles_of[] = {
    [CHK_MUL] = 3, [CHK_ADD] = 2, [CHK_SUB] = 1, [CHK_ROR] = 2, [CHK_ROL] = 2, [CHK_XOR] = 1};
/// The same on hardware made for it, which rotates and adds in one cycle.
static const uint8_t asic_cycles_of[] = {
    [CHK_MUL] = 3, [CHK_ADD] = 1, [CHK_SUB] = 1, [CHK_ROR] = 1, [CHK_ROL] = 1, [CHK_XOR] = 1};

/// Endless bytes: BLAKE-256 of the seed, then of that, and so on.
typedef struct byte_source {
    uint8_t data[32];
    size_t used;
} byte_source;

static byte_source byte_source_of(uint64_t height) {
    byte_source source = {.used = sizeof source.data};
    memcpy(source.data, &height, sizeof height);
    source.data[20] = 0xda;
    return source;
}

/// The next `count` bytes as a little-endian number. Bytes that don't suffice for it are dropped.
static uint32_t take(byte_source *source, size_t count) {
    if (source->used + count > sizeof source->data) {
        uint8_t seed[32];
        memcpy(seed, source->data, sizeof seed);
        chk_blake256(source->data, seed, sizeof seed);
        source->used = 0;
    }
    uint32_t value = 0;
    memcpy(&value, source->data + source->used, count);
    source->used += count;
    return value;
}

/// What one attempt at a program knows.
typedef struct attempt {
    unsigned latency[REGISTERS];      // cycle in which the register's value is ready
    unsigned asic_latency[REGISTERS]; // the same on hardware made for it
    uint32_t last[REGISTERS];         // what wrote the register last: see `trace`
    bool rotated[VARIABLES];          // whether that was a rotation
    bool busy[CYCLES + 1][ALUS];
    unsigned rotations, retries, draws;
    bool reads_last_register;
} attempt;

static attempt fresh_attempt(void) {
    attempt fresh = {0};
    for (unsigned i = 0; i < REGISTERS; i++)
        fresh.last[i] = i < VARIABLES ? i : 0xffffff;
    return fresh;
}

static bool is_rotation(unsigned operation) {
    return operation == CHK_ROR || operation == CHK_ROL;
}

static unsigned larger(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static chk_instruction draw(byte_source *source) {
    static const uint8_t operations[8] = {CHK_MUL, CHK_MUL, CHK_MUL, CHK_ADD, CHK_SUB, CHK_ROR, CHK_XOR, CHK_XOR};
    const uint32_t byte = take(source, 1);
    chk_instruction drawn = {.operation = operations[byte & 7], .destination = byte >> 3 & 3, .source = byte >> 5 & 7};
    if (drawn.operation == CHK_ROR && take(source, 1) >= 0x80)
        drawn.operation = CHK_ROL;
    const bool self_is_void = drawn.operation != CHK_MUL && !is_rotation(drawn.operation);
    if (self_is_void && drawn.source == drawn.destination)
        drawn.source = LAST_REGISTER;
    return drawn;
}

/// The operation and the version of its source, as `last` keeps them above the instruction's number.
static uint32_t trace(const attempt *state, const chk_instruction *drawn) {
    return (uint32_t)drawn->operation << 8 | (state->last[drawn->source] & 0xff) << 16;
}

/// Whether the instruction would merge with the one that wrote its destination last.
static bool repeats(const attempt *state, const chk_instruction *drawn) {
    if (is_rotation(drawn->operation) && state->rotated[drawn->destination])
        return true;
    return drawn->operation != CHK_MUL && (state->last[drawn->destination] & 0xffff00) == trace(state, drawn);
}

/// The ALU that can start the operation in this cycle, or -1. Only ALU 0 multiplies; an ADD takes two cycles, its
/// constant being a second addition.
static int free_alu(const attempt *state, unsigned operation, unsigned cycle) {
    if (is_rotation(operation) && cycle < state->rotations * ROTATION_SPACING)
        return -1;
    for (int alu = operation == CHK_MUL ? 0 : ALUS - 1; alu >= 0; alu--)
        if (!state->busy[cycle][alu] && !(operation == CHK_ADD && state->busy[cycle + 1][alu]))
            return alu;
    return -1;
}

/// The first cycle with the operands ready and an ALU free, which goes to `*alu`; CYCLES if there is none.
static unsigned start_cycle(const attempt *state, const chk_instruction *drawn, int *alu) {
    unsigned cycle = larger(state->latency[drawn->destination], state->latency[drawn->source]);
    for (*alu = -1; cycle < CYCLES; cycle++) {
        *alu = free_alu(state, drawn->operation, cycle);
        if (*alu >= 0)
            break;
    }
    return cycle;
}

/// Books the instruction, which is the program's next, to start in `cycle` on `alu`.
static void book(attempt *state, const chk_instruction *drawn, unsigned number, unsigned cycle, int alu) {
    const unsigned destination = drawn->destination, operation = drawn->operation;
    state->busy[cycle][alu] = true;
    if (operation == CHK_ADD)
        state->busy[cycle + 1][alu] = true;
    state->last[destination] = number + trace(state, drawn);
    state->latency[destination] = cycle + cycles_of[operation];
    state->asic_latency[destination] =
        larger(state->asic_latency[destination], state->asic_latency[drawn->source]) + asic_cycles_of[operation];
    state->rotated[destination] = is_rotation(operation);
    state->rotations += is_rotation(operation);
    state->reads_last_register |= drawn->source == LAST_REGISTER;
}

/// Draws an instruction and appends it to the program, unless it repeats or comes too late.
static void draw_next(attempt *state, chk_program *program, byte_source *source) {
    chk_instruction drawn = draw(source);
    state->draws++;
    if (repeats(state, &drawn))
        return;
    int alu;
    const unsigned cycle = start_cycle(state, &drawn, &alu);
    if (cycle > state->latency[drawn.destination] + MOST_WAIT_CYCLES)
        return;
    if (cycle + cycles_of[drawn.operation] > CYCLES) {
        state->retries++;
        return;
    }
    book(state, &drawn, program->count, cycle, alu);
    if (drawn.operation == CHK_ADD)
        drawn.constant = take(source, sizeof drawn.constant);
    program->code[program->count++] = drawn;
}

/// Whether each of the variables takes the full number of cycles.
static bool all_full(const unsigned latency[VARIABLES]) {
    for (unsigned i = 0; i < VARIABLES; i++)
        if (latency[i] < CYCLES)
            return false;
    return true;
}

/// Lengthens the chain that is shortest on hardware made for it, until one chain takes the full number of cycles there.
static void pad(attempt *state, chk_program *program) {
    static const uint8_t pattern[] = {CHK_ROR, CHK_MUL, CHK_MUL};
    unsigned *latency = state->asic_latency;
    for (unsigned padded = 0; program->count < CHK_PROGRAM_CAPACITY; padded++) {
        unsigned lowest = 0, highest = 0;
        for (unsigned i = 1; i < VARIABLES; i++) {
            lowest = latency[i] < latency[lowest] ? i : lowest;
            highest = latency[i] > latency[highest] ? i : highest;
        }
        if (latency[highest] >= CYCLES)
            return;
        const uint8_t operation = pattern[padded % sizeof pattern];
        latency[lowest] = latency[highest] + asic_cycles_of[operation];
        program->code[program->count++] =
            (chk_instruction){.operation = operation, .destination = (uint8_t)lowest, .source = (uint8_t)highest};
    }
}

/// One attempt; false if its program is too short or never reads the last register.
static bool try_program(chk_program *program, byte_source *source) {
    attempt state = fresh_attempt();
    program->count = 0;
    while (!all_full(state.latency) && state.retries < MOST_RETRIES && state.draws < MOST_DRAWS &&
           program->count < CHK_PROGRAM_MINIMUM_INSTRUCTIONS)
        draw_next(&state, program, source);
    pad(&state, program);
    return state.reads_last_register && program->count >= CHK_PROGRAM_MINIMUM_INSTRUCTIONS;
}

void chk_program_make(chk_program *program, uint64_t height) {
    memset(program, 0, sizeof *program);
    program->height = height;
    byte_source source = byte_source_of(height);
    while (!try_program(program, &source)) {
    }
}

void chk_program_interpret(const chk_program *program, uint32_t registers[CHK_PROGRAM_REGISTERS]) {
    chk_program_run(program, registers);
}
