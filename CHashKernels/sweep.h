/// Explode and implode: streams of AES text over the scratchpads. Included by cryptonight.h, never compiled alone.
///
/// A path with registers of more than one block defines before:
///   CHK_WIDE_BLOCKS          blocks in a register: 2 or 4
///   wide                     such a register
///   wide_load wide_store     from and to memory, 16-byte aligned
///   wide_repeat              one block in all places
///   wide_xor wide_aes        bit by bit; one AES round of each block
///   wide_next                the blocks one place down, the first of another register behind them
#ifndef CHK_SWEEP_H
#define CHK_SWEEP_H

#if !defined(CHK_WIDE_BLOCKS)
#define CHK_WIDE_BLOCKS 1

typedef block wide;

CHK_ALWAYS_INLINE wide wide_load(const uint8_t *at) {
    return block_load(at);
}
CHK_ALWAYS_INLINE void wide_store(uint8_t *at, wide x) {
    block_store(at, x);
}
CHK_ALWAYS_INLINE wide wide_repeat(block x) {
    return x;
}
CHK_ALWAYS_INLINE wide wide_xor(wide x, wide y) {
    return block_xor(x, y);
}
CHK_ALWAYS_INLINE wide wide_aes(wide x, wide key) {
    return block_aes(x, key);
}
CHK_ALWAYS_INLINE wide wide_next(wide x, wide behind) {
    (void)x;
    return behind;
}
#endif

enum {
    CHK_ROUNDS = 10,
    CHK_TEXT_BYTES = 128,
    CHK_TEXT_WIDES = CHK_TEXT_BYTES / 16 / CHK_WIDE_BLOCKS,
    CHK_SOAKING_PASSES = 16, ///< the heavy variants' before explode and after implode
};

/// The eight blocks of a state that are encrypted on and on, and the round keys.
typedef struct stream {
    wide text[CHK_TEXT_WIDES];
    wide keys[CHK_ROUNDS];
} stream;

static void stream_open(stream *stream, const uint64_t key[4], const uint64_t text[16]) {
    block keys[CHK_ROUNDS];
    expand_key(keys, (const uint8_t *)key);
    for (unsigned round = 0; round < CHK_ROUNDS; round++) {
        stream->keys[round] = wide_repeat(keys[round]);
    }
    for (unsigned i = 0; i < CHK_TEXT_WIDES; i++) {
        stream->text[i] = wide_load((const uint8_t *)text + i * sizeof(wide));
    }
}

static void text_store(uint64_t to[16], const stream *stream) {
    for (unsigned i = 0; i < CHK_TEXT_WIDES; i++) {
        wide_store((uint8_t *)to + i * sizeof(wide), stream->text[i]);
    }
}

CHK_ALWAYS_INLINE void text_pass(wide text[CHK_TEXT_WIDES], const wide keys[CHK_ROUNDS]) {
#pragma clang loop unroll(full)
    for (unsigned round = 0; round < CHK_ROUNDS; round++) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < CHK_TEXT_WIDES; i++) {
            text[i] = wide_aes(text[i], keys[round]);
        }
    }
}

/// The heavy variants' mixing: every block is changed by the one behind it, the last by the first.
CHK_ALWAYS_INLINE void text_mix(wide text[CHK_TEXT_WIDES]) {
    wide first = text[0];
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < CHK_TEXT_WIDES; i++) {
        wide behind = i + 1 < CHK_TEXT_WIDES ? text[i + 1] : first;
        text[i] = wide_xor(text[i], wide_next(text[i], behind));
    }
}

static void stream_soak(stream *stream) {
    for (unsigned pass = 0; pass < CHK_SOAKING_PASSES; pass++) {
        text_pass(stream->text, stream->keys);
        text_mix(stream->text);
    }
}

CHK_ALWAYS_INLINE void text_fold(stream *stream, const uint8_t *from) {
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < CHK_TEXT_WIDES; i++) {
        stream->text[i] = wide_xor(stream->text[i], wide_load(from + i * sizeof(wide)));
    }
    text_pass(stream->text, stream->keys);
}

CHK_ALWAYS_INLINE void text_emit(stream *stream, uint8_t *to) {
    text_pass(stream->text, stream->keys);
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < CHK_TEXT_WIDES; i++) {
        wide_store(to + i * sizeof(wide), stream->text[i]);
    }
}

/// What a sweep does to each section of a scratchpad.
typedef struct sweep {
    bool reads;       ///< folds it into one stream's text
    bool mixes;       ///< … as the heavy variants do
    bool writes;      ///< fills it from another stream
    bool regenerates; ///< folds what the other stream would write, and touches no memory
} sweep;

/// Sweeps one section. `sweep` is a constant; the stream that it doesn't need may be anything.
CHK_ALWAYS_INLINE void section_sweep(sweep sweep, stream *read, stream *written, uint8_t *section) {
    // Copies stay in registers, as no store to the section can change them. Two streams of narrow blocks and a key need
    // 17 of those, and spill in the midst of a pass; they are better off in memory between the passes.
    const bool reads = sweep.reads || sweep.regenerates, writes = sweep.writes || sweep.regenerates;
    const bool kept = !(CHK_WIDE_BLOCKS == 1 && reads && writes);
    stream read_copy, written_copy, *in = kept ? &read_copy : read, *out = kept ? &written_copy : written;
    if (kept && reads) {
        read_copy = *read;
    }
    if (kept && writes) {
        written_copy = *written;
    }
    for (size_t offset = 0; offset < CHK_SECTION_BYTES; offset += CHK_TEXT_BYTES) {
        if (sweep.regenerates) {
            text_pass(out->text, out->keys);
            text_fold(in, (const uint8_t *)out->text);
        }
        if (sweep.reads) {
            text_fold(in, section + offset);
            if (sweep.mixes) {
                text_mix(in->text);
            }
        }
        if (sweep.writes) {
            text_emit(out, section + offset);
        }
    }
    if (kept && reads) {
        memcpy(read->text, read_copy.text, sizeof(read_copy.text));
    }
    if (kept && writes) {
        memcpy(written->text, written_copy.text, sizeof(written_copy.text));
    }
}

/// A section_sweep with its constants: one function for each way to sweep.
#define CHK_SECTION(name, ...)                                                                                         \
    static void section_##name(stream *read, stream *written, uint8_t *section) {                                      \
        section_sweep((sweep){__VA_ARGS__}, read, written, section);                                                   \
    }
CHK_SECTION(implode, .reads = true)
CHK_SECTION(implode_mixing, .reads = true, .mixes = true)
CHK_SECTION(explode, .writes = true)
CHK_SECTION(exchange, .reads = true, .writes = true)
CHK_SECTION(exchange_mixing, .reads = true, .mixes = true, .writes = true)
CHK_SECTION(regenerate, .regenerates = true)
#undef CHK_SECTION

typedef void section_function(stream *read, stream *written, uint8_t *section);

/// Sweeps a scratchpad's memory; whether it came to its end.
static bool each_section(section_function *body, const chk_kernel *kernel, stream *read, stream *written, uint8_t *pad,
                         chk_watch watch) {
    for (uint32_t offset = 0; offset < kernel->variant.memory_bytes; offset += CHK_SECTION_BYTES) {
        if (chk_abandoned(watch)) {
            return false;
        }
        body(read, written, pad + offset);
    }
    return true;
}

/// Implodes the part of a scratchpad that no memory holds, as the main loop doesn't reach it: explode goes on from
/// where it ended. No heavy variant has such a part. Whether it came to its end.
static bool rest_implode(const chk_kernel *kernel, const chk_state *done, stream *read, chk_watch watch) {
    uint32_t offset = kernel->variant.memory_bytes;
    if (offset == kernel->variant.scratchpad_bytes) {
        return true;
    }
    stream written;
    stream_open(&written, &done->words[0], done->text);
    for (; offset < kernel->variant.scratchpad_bytes; offset += CHK_SECTION_BYTES) {
        if (chk_abandoned(watch)) {
            return false;
        }
        section_regenerate(read, &written, NULL);
    }
    return true;
}

/// Explode from its start, and the heavy variants' first passes.
static void explode_open(stream *written, const chk_state *fresh, bool heavy) {
    stream_open(written, &fresh->words[0], &fresh->words[8]);
    if (heavy) {
        stream_soak(written);
    }
}

/// The heavy variants' last passes, and implode's result.
static void implode_close(chk_state *done, stream *read, bool heavy) {
    if (heavy) {
        stream_soak(read);
    }
    text_store(&done->words[8], read);
}

/// Implodes the hash `done` and explodes the hash `fresh`, both at once where both are given: each line is read and
/// overwritten in one go. The heavy variants read the scratchpad once more before. Whether it came to its end.
static bool scratchpad_sweep(const chk_kernel *kernel, chk_state *done, chk_state *fresh, uint8_t *pad,
                             chk_watch watch) {
    bool heavy = steps[kernel->step].heavy;
    section_function *implode = heavy ? section_implode_mixing : section_implode;
    section_function *exchange = heavy ? section_exchange_mixing : section_exchange;
    section_function *last = done == NULL ? section_explode : fresh == NULL ? implode : exchange;
    stream read, written;
    if (fresh != NULL) {
        explode_open(&written, fresh, heavy);
    }
    if (done != NULL) {
        stream_open(&read, &done->words[4], &done->words[8]);
        if (heavy && !each_section(implode, kernel, &read, NULL, pad, watch)) {
            return false;
        }
    }
    if (!each_section(last, kernel, &read, &written, pad, watch) ||
        (done != NULL && !rest_implode(kernel, done, &read, watch))) {
        return false;
    }
    if (fresh != NULL) {
        text_store(fresh->text, &written);
    }
    if (done != NULL) {
        implode_close(done, &read, heavy);
    }
    return true;
}

#endif
