// Hashes from end to end: checks, absorbing, the path's work, the last permutation and the digest.
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
        batch->scratchpads == NULL) {
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

/// Bytes of the input that go into the tweak: 8, from here on.
enum { TWEAK_OFFSET = 35 };

/// The batch's hashes after absorbing, their scratchpads as they are.
static void absorb(chk_flight *flight, const chk_kernel *kernel, chk_run *run, const chk_batch *batch) {
    flight->kernel = kernel;
    flight->run = run;
    flight->program = batch->program;
    flight->code = batch->code;
    flight->lanes = batch->lanes;
    for (size_t lane = 0; lane < batch->lanes; lane++) {
        chk_state *state = &flight->states[lane];
        flight->scratchpads[lane] = batch->scratchpads[lane];
        chk_keccak_absorb(state->words, batch->inputs[lane], batch->input_bytes[lane]);
        state->tweak = 0;
        if (kernel->variant.minimum_input_bytes >= TWEAK_OFFSET + sizeof(state->tweak)) {
            memcpy(&state->tweak, batch->inputs[lane] + TWEAK_OFFSET, sizeof(state->tweak));
            state->tweak ^= state->words[24];
        }
    }
}

static void digest_write(uint8_t digest[CHK_DIGEST_BYTES], chk_state *state) {
    static void (*const finals[4])(uint8_t *, const uint8_t *, size_t) = {
        chk_blake256,
        chk_groestl256,
        chk_jh256,
        chk_skein256,
    };
    chk_keccak_f1600(state->words);
    finals[state->words[0] & 3](digest, (const uint8_t *)state->words, sizeof(state->words));
}

/// Completes the hashes in flight while those of `leaving`, which may be NULL, take their scratchpads. Nothing is in
/// flight afterwards.
static chk_status land(chk_flight *flight, chk_flight *leaving, chk_watch watch, uint8_t (*digests)[CHK_DIGEST_BYTES]) {
    chk_status status = flight->run(flight, leaving, watch);
    for (size_t lane = 0; status == CHK_OK && lane < flight->lanes; lane++) {
        digest_write(digests[lane], &flight->states[lane]);
    }
    flight->lanes = 0;
    return status;
}

static bool is_flight(const chk_flight *flight) {
    return flight != NULL && (uintptr_t)flight % CHK_FLIGHT_ALIGNMENT == 0;
}

size_t chk_flight_bytes(void) {
    return (sizeof(chk_flight) + CHK_FLIGHT_ALIGNMENT - 1) / CHK_FLIGHT_ALIGNMENT * CHK_FLIGHT_ALIGNMENT;
}

chk_status chk_start(chk_flight *flight, size_t variant, size_t path, const chk_batch *batch) {
    const chk_kernel *kernel = chk_kernel_at(variant);
    if (!is_flight(flight) || kernel == NULL || batch == NULL) {
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
    absorb(flight, kernel, run, batch);
    status = run(NULL, flight, batch->watch);
    if (status != CHK_OK) {
        flight->lanes = 0;
    }
    return status;
}

chk_status chk_next(chk_flight *flight, const chk_batch *batch) {
    if (!is_flight(flight) || batch == NULL || batch->digests == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    if (flight->lanes == 0) {
        return CHK_NOTHING_IN_FLIGHT;
    }
    chk_status status = check_batch(&flight->kernel->variant, batch);
    if (status != CHK_OK) {
        return status;
    }
    for (size_t lane = 0; lane < batch->lanes && lane < flight->lanes; lane++) {
        if (batch->scratchpads[lane] != flight->scratchpads[lane]) {
            return CHK_BAD_ARGUMENT;
        }
    }
    chk_flight leaving;
    absorb(&leaving, flight->kernel, flight->run, batch);
    status = land(flight, &leaving, batch->watch, batch->digests);
    if (status == CHK_OK) {
        memcpy(flight->scratchpads, leaving.scratchpads, leaving.lanes * sizeof(leaving.scratchpads[0]));
        memcpy(flight->states, leaving.states, leaving.lanes * sizeof(leaving.states[0]));
        flight->program = leaving.program;
        flight->code = leaving.code;
        flight->lanes = leaving.lanes;
    }
    return status;
}

chk_status chk_finish(chk_flight *flight, chk_watch watch, uint8_t (*digests)[CHK_DIGEST_BYTES]) {
    if (!is_flight(flight) || digests == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    return flight->lanes == 0 ? CHK_NOTHING_IN_FLIGHT : land(flight, NULL, watch, digests);
}

chk_status chk_hash(size_t variant, size_t path, const chk_batch *batch) {
    _Alignas(CHK_FLIGHT_ALIGNMENT) chk_flight flight;
    if (batch == NULL || batch->digests == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    chk_status status = chk_start(&flight, variant, path, batch);
    return status == CHK_OK ? chk_finish(&flight, batch->watch, batch->digests) : status;
}
