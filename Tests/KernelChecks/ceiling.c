// Checks what measures the memory's limits and the arithmetic: that the loops do what they are timed for.
#include "memory_ceiling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_BYTES = 1 << 20, PADS = 3, UPDATES = 100003, OPERATIONS = 1000 };

static const chk_watch nothing = {NULL, 0};
static int failures;

static void expect(const char *what, bool holds) {
    if (!holds) {
        fprintf(stderr, "%s: doesn't hold\n", what);
        failures++;
    }
}

static uint8_t *memory_make(size_t bytes) {
    uint8_t *memory = aligned_alloc(CHK_LINE_BYTES, bytes);
    if (memory == NULL) {
        exit(2);
    }
    memset(memory, 0, bytes);
    return memory;
}

static void check_ticks(void) {
    const uint64_t start = chk_ticks();
    uint64_t later = start;
    for (uint32_t tries = 0; later == start && tries < UINT32_MAX; tries++) {
        later = chk_ticks();
    }
    expect("ticks go on", later > start);
}

static void check_chase(void) {
    const uint64_t lines = MEMORY_BYTES / CHK_LINE_BYTES;
    uint8_t *memory = memory_make(MEMORY_BYTES);
    expect("lines are linked", chk_chase_link(memory, MEMORY_BYTES, 7, nothing) == CHK_OK);
    uint64_t place = 0, steps = 0;
    do {
        expect("a link is followed", chk_chase_follow(memory, 1, nothing, &place) == CHK_OK);
        steps++;
    } while (place != 0 && steps <= lines);
    expect("the cycle visits every line", steps == lines);
    expect("it comes back in one go", chk_chase_follow(memory, lines, nothing, &place) == CHK_OK && place == 0);
    free(memory);
}

static void check_updates(void) {
    uint8_t *memory = memory_make(PADS * MEMORY_BYTES), *pads[PADS];
    for (size_t k = 0; k < PADS; k++) {
        pads[k] = memory + k * MEMORY_BYTES;
    }
    static const size_t depths[] = {0, 1, 8, CHK_UPDATE_DEPTH_MAX};
    uint64_t seed = 1;
    for (size_t i = 0; i < 2 * sizeof(depths) / sizeof(depths[0]); i++) {
        const chk_updates updates = {.shape = i % 2 == 0 ? CHK_UPDATE_STREAM : CHK_UPDATE_LOCK_STEP,
                                     .depth = depths[i / 2],
                                     .pads = pads,
                                     .lanes = PADS,
                                     .pad_bytes = MEMORY_BYTES};
        const bool possible = updates.shape == CHK_UPDATE_STREAM || updates.depth > 0;
        const uint64_t before = chk_update_sum(&updates);
        const chk_status status = chk_update(&updates, UPDATES, &seed);
        expect("updates are done, or refused", status == (possible ? CHK_OK : CHK_BAD_ARGUMENT));
        expect("as many as were asked for", chk_update_sum(&updates) - before == (possible ? UPDATES : 0));
    }
    free(memory);
}

/// One chain and the first of eight must agree; so must AES by table and, where the CPU has it, by instruction.
static void check_arithmetic(void) {
    uint64_t alone[CHK_ARITHMETIC_KINDS] = {0}, together[CHK_ARITHMETIC_CHAINS];
    bool has_aes = true;
    for (int kind = 0; kind < CHK_ARITHMETIC_KINDS; kind++) {
        const chk_status status = chk_arithmetic_run((chk_arithmetic)kind, 1, OPERATIONS, &alone[kind]);
        if (kind == CHK_ARITHMETIC_AES && status == CHK_NO_SUCH_PATH) {
            has_aes = false;
            continue;
        }
        expect("a chain runs", status == CHK_OK);
        expect("eight chains run",
               chk_arithmetic_run((chk_arithmetic)kind, CHK_ARITHMETIC_CHAINS, OPERATIONS, together) == CHK_OK);
        expect("the first of eight is the chain alone", together[0] == alone[kind]);
    }
    expect("AES by instruction and by table agree",
           !has_aes || alone[CHK_ARITHMETIC_AES] == alone[CHK_ARITHMETIC_AES_TABLE]);
    printf("ceiling: AES rounds by %s\n", has_aes ? "instruction and by table" : "table alone");
}

int main(void) {
    check_ticks();
    check_chase();
    check_updates();
    check_arithmetic();
    printf("ceiling: %d failed\n", failures);
    return failures != 0;
}
