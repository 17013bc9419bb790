// Checks of the hash kernels from outside SwiftPM, so that they also run under sanitizers and on other architectures.
//
// Build, from the repository's root (any clang; add -fsanitize=undefined -fno-sanitize-recover or -fsanitize=address):
//   clang -std=gnu17 -O2 -Wall -Wextra -Werror -I CHashKernels/include -o /tmp/kernel-checks \
//       Tests/KernelChecks/hashes/*.c $(find CHashKernels -name '*.c') -lpthread
//
// Run; the exit code is 0 when everything held:
//   kernel-checks paths                                   names the paths that this CPU runs, one a line
//   kernel-checks vectors PATH LANES [BATCHES] < LINES    hashes vectors, at most BATCHES batches per variant
//   kernel-checks flight PATH LANES [VARIANT]             lets batch follow batch through the same scratchpads
//   kernel-checks abandon PATH LANES                      gives up hashes half way
//   kernel-checks arguments                               hands over bad arguments
//   kernel-checks edges                                   tries the edges of the arithmetic
//
// A line is `VARIANT HEIGHT INPUT DIGEST`, the last two in hex (HEIGHT 0 where there is none). From the vectors:
//   python3 -c 'import json
//   for v in json.load(open("Tests/Vectors/cryptonight.json")):
//       print(v["algo"], v.get("height", 0), v["input"], v["hash"])'
#include "checks.h"

enum { SCRATCHPAD_BYTES_MAX = 4 << 20 };

void scratchpads_make(uint8_t *pads[], size_t lanes) {
    uint8_t *memory = aligned_alloc(CHK_SCRATCHPAD_ALIGNMENT, lanes * SCRATCHPAD_BYTES_MAX);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu scratchpads\n", lanes);
        exit(2);
    }
    for (size_t k = 0; k < lanes; k++) {
        pads[k] = memory + k * SCRATCHPAD_BYTES_MAX;
    }
}

size_t hex_decode(const char *hex, uint8_t *bytes, size_t capacity) {
    size_t count = strlen(hex) / 2;
    if (strlen(hex) % 2 != 0 || count > capacity) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned byte;
        char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        if (strspn(digits, "0123456789abcdefABCDEF") != 2 || sscanf(digits, "%x", &byte) != 1) {
            return SIZE_MAX;
        }
        bytes[i] = (uint8_t)byte;
    }
    return count;
}

static size_t path_named(const char *name) {
    for (size_t path = 0; path < chk_path_count(); path++) {
        if (strcmp(chk_path_name(path), name) == 0 && chk_path_supported(path)) {
            return path;
        }
    }
    fprintf(stderr, "no path %s on this CPU\n", name);
    exit(2);
}

static int paths_print(void) {
    for (size_t path = 0; path < chk_path_count(); path++) {
        if (chk_path_supported(path)) {
            puts(chk_path_name(path));
        }
    }
    return 0;
}

static int usage(void) {
    fputs("usage: kernel-checks paths | vectors PATH LANES [BATCHES] | flight PATH LANES [VARIANT] | "
          "abandon PATH LANES | arguments | edges\n",
          stderr);
    return 2;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        return usage();
    }
    const char *mode = argv[1];
    if (strcmp(mode, "paths") == 0) {
        return paths_print();
    }
    if (strcmp(mode, "arguments") == 0) {
        return check_arguments();
    }
    if (strcmp(mode, "edges") == 0) {
        return check_edges();
    }
    size_t lanes = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    if (lanes < 1 || lanes > CHK_LANES_MAX) {
        return usage();
    }
    if (strcmp(mode, "vectors") == 0) {
        return check_vectors(path_named(argv[2]), lanes, argc > 4 ? strtoul(argv[4], NULL, 10) : SIZE_MAX);
    }
    if (strcmp(mode, "flight") == 0) {
        return check_flight(path_named(argv[2]), lanes, argc > 4 ? argv[4] : NULL);
    }
    return strcmp(mode, "abandon") == 0 ? check_abandoning(path_named(argv[2]), lanes) : usage();
}
