/// The key expansion of AES-256 word by word.
/// Included by an isa/ file that has the block type and defines `substituted`: a word with its four bytes through the
/// S-box.
#ifndef CHK_ISA_KEY_EXPANSION_H
#define CHK_ISA_KEY_EXPANSION_H

static inline void expand_key(block keys[10], const uint8_t seed[32]) {
    static const uint32_t round_constants[] = {1, 2, 4, 8};
    uint32_t words[40];
    memcpy(words, seed, 32);
    for (unsigned i = 8; i < 40; i++) {
        uint32_t word = words[i - 1];
        if (i % 8 == 0) {
            word = substituted(word);
            word = (word >> 8 | word << 24) ^ round_constants[i / 8 - 1];
        } else if (i % 4 == 0) {
            word = substituted(word);
        }
        words[i] = words[i - 8] ^ word;
    }
    memcpy(keys, words, sizeof(words));
}

#endif
