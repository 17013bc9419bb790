/// Keccak, which opens every CryptoNight hash, and the four digests of which one closes it.
///
/// All are the versions of the last round of the SHA-3 competition. Inputs may have any length and alignment; an input
/// of no bytes may be NULL. Nothing is allocated, nothing is kept between calls, and any thread may call.
#ifndef CHK_FINALS_H
#define CHK_FINALS_H

#include <stddef.h>
#include <stdint.h>

enum {
    CHK_KECCAK_LANES = 25,       ///< 64-bit lanes of a Keccak state (200 bytes)
    CHK_KECCAK_RATE_BYTES = 136, ///< input bytes absorbed per permutation
};

/// Keccak-f[1600]: 24 rounds on `state`, lane (x, y) at index x + 5y.
void chk_keccak_f1600(uint64_t state[CHK_KECCAK_LANES]);

/// Sets `state` to the whole state after absorbing `input` at rate 136 with the original padding (0x01 … 0x80).
void chk_keccak_absorb(uint64_t state[CHK_KECCAK_LANES], const uint8_t *input, size_t bytes);

/// BLAKE-256 with 14 rounds and no salt.
void chk_blake256(uint8_t digest[32], const uint8_t *input, size_t bytes);
/// Groestl-256 with the tweaked round constants and shifts of the final round.
void chk_groestl256(uint8_t digest[32], const uint8_t *input, size_t bytes);
/// JH-256 with 42 rounds.
void chk_jh256(uint8_t digest[32], const uint8_t *input, size_t bytes);
/// Skein-512-256, version 1.3.
void chk_skein256(uint8_t digest[32], const uint8_t *input, size_t bytes);

#endif
