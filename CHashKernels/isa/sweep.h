/// Explode and implode of a section of a scratchpad in plain 128-bit blocks, for paths without wider ones.
/// Needs block, block_load, block_store, block_xor and text_pass; included by such an isa/ file.
#ifndef CHK_ISA_SWEEP_H
#define CHK_ISA_SWEEP_H

CHK_ALWAYS_INLINE void text_mix(block text[8]) {
    block first = text[0];
    for (unsigned i = 0; i < 7; i++) {
        text[i] = block_xor(text[i], text[i + 1]);
    }
    text[7] = block_xor(text[7], first);
}

/// Writes text, once more encrypted each time, all over a section.
static void explode_section(block text[8], const block keys[10], uint8_t *section) {
    block t[8];
    memcpy(t, text, sizeof(t));
    for (size_t offset = 0; offset < CHK_SECTION_BYTES; offset += sizeof(t)) {
        text_pass(t, keys);
        for (unsigned i = 0; i < 8; i++) {
            block_store(section + offset + 16 * i, t[i]);
        }
    }
    memcpy(text, t, sizeof(t));
}

/// Folds a section into text. `mixes` is a constant.
CHK_ALWAYS_INLINE void implode_section(block text[8], const block keys[10], const uint8_t *section, bool mixes) {
    block t[8];
    memcpy(t, text, sizeof(t));
    for (size_t offset = 0; offset < CHK_SECTION_BYTES; offset += sizeof(t)) {
        for (unsigned i = 0; i < 8; i++) {
            t[i] = block_xor(t[i], block_load(section + offset + 16 * i));
        }
        text_pass(t, keys);
        if (mixes) {
            text_mix(t);
        }
    }
    memcpy(text, t, sizeof(t));
}

#endif
