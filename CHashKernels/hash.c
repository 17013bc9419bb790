// A hash from end to end: checks, absorbing, the path's work, the last permutation and the digest.
#include "kernel.h"

#include "finals/finals.h"
#include "random_math/native.h"

/// Whether the program can run and the code, where there is some, is its own.
static chk_status check_program(const chk_batch *batch) {
    if (batch->program == NULL) {
        return CHK_NO_PROGRAM;
    }
    bool codes_agree = batch->code == NULL || batch->code->height == batch->program->height;
    return codes_agree && chk_program_is_sound(batch->program) ? CHK_OK : CHK_BAD_ARGUMENT;
}

static chk_status check_lane(const chk_variant *variant, const chk_batch *batch, size_t lane) {
    if (batch->input_bytes[lane] < variant->minimum_input_bytes) {
        return CHK_INPUT_TOO_SHORT;
    }
    const uint8_t *scratchpad = batch->scratchpads[lane];
    if (batch->inputs[lane] == NULL || scratchpad == NULL || (uintptr_t)scratchpad % CHK_SCRATCHPAD_ALIGNMENT != 0) {
        return CHK_BAD_ARGUMENT;
    }
    return CHK_OK;
}

static chk_status check_batch(const chk_variant *variant, const chk_batch *batch) {
    if (batch->lanes < 1 || batch->lanes > CHK_LANES_MAX || batch->inputs == NULL || batch->input_bytes == NULL ||
        batch->scratchpads == NULL || batch->digests == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    for (size_t lane = 0; lane < batch->lanes; lane++) {
        chk_status status = check_lane(variant, batch, lane);
        if (status != CHK_OK) {
            return status;
        }
    }
    return variant->needs_height ? check_program(batch) : CHK_OK;
}

static void finish(uint8_t digest[CHK_DIGEST_BYTES], chk_state *state) {
    static void (*const finals[4])(uint8_t *, const uint8_t *, size_t) = {
        chk_blake256,
        chk_groestl256,
        chk_jh256,
        chk_skein256,
    };
    chk_keccak_f1600(state->words);
    finals[state->words[0] & 3](digest, (const uint8_t *)state->words, sizeof(state->words));
}

chk_status chk_hash(size_t variant, size_t path, const chk_batch *batch) {
    const chk_kernel *kernel = chk_kernel_at(variant);
    if (kernel == NULL || batch == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    chk_run *run = chk_path_at(path);
    if (run == NULL) {
        return CHK_NO_SUCH_PATH;
    }
    chk_status status = check_batch(&kernel->variant, batch);
    if (status != CHK_OK) {
        return status;
    }
    chk_state states[CHK_LANES_MAX];
    for (size_t lane = 0; lane < batch->lanes; lane++) {
        chk_keccak_absorb(states[lane].words, batch->inputs[lane], batch->input_bytes[lane]);
    }
    status = run(kernel, batch, states);
    for (size_t lane = 0; status == CHK_OK && lane < batch->lanes; lane++) {
        finish(batch->digests[lane], &states[lane]);
    }
    return status;
}
