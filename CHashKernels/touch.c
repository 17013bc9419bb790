// Makes a scratchpad's pages exist.
#include "kernel.h"

enum {
    PAGE_BYTES = 4096,
    PAGES_PER_LOOK = 64, // a first touch of a page takes a microsecond or two; of a 2 MiB page some 100 µs
};

chk_status chk_touch(uint8_t *memory, size_t bytes, chk_watch watch) {
    if (memory == NULL && bytes > 0) {
        return CHK_BAD_ARGUMENT;
    }
    volatile uint8_t *pages = memory;
    for (size_t page = 0; page * PAGE_BYTES < bytes; page++) {
        if (page % PAGES_PER_LOOK == 0 && chk_abandoned(watch)) {
            return CHK_ABANDONED;
        }
        pages[page * PAGE_BYTES] = 0;
    }
    return CHK_OK;
}
