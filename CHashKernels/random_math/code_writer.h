/// Writes machine code, byte by byte.
#ifndef CHK_CODE_WRITER_H
#define CHK_CODE_WRITER_H

#include <stdint.h>

/// Where the next byte goes.
typedef struct writer {
    uint8_t *next;
} writer;

static inline void put(writer *to, uint8_t byte) {
    *to->next++ = byte;
}

static inline void put_word(writer *to, uint32_t word) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        put(to, (uint8_t)(word >> shift));
}

#endif
