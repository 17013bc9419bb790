// Checks the opening and closing digests against files of known answers.
//
//     clang -O2 -Wall -Wextra -Werror -I CHashKernels/include -I CHashKernels/finals \
//         Tests/KernelChecks/finals.c CHashKernels/finals/*.c -o finals
//     finals blake256 Tests/Vectors/monero-extra-blake.txt
//
// A file holds lines of DIGEST INPUT, both in hex, an empty input being `x`.
#include "finals.h"
#include "hash_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void digest_function(uint8_t digest[32], const uint8_t *input, size_t bytes);

static const struct {
    const char *name;
    digest_function *compute;
} functions[] = {
    {"keccak256", chk_keccak256}, {"blake256", chk_blake256}, {"groestl256", chk_groestl256},
    {"jh256", chk_jh256},         {"skein256", chk_skein256},
};

static digest_function *function_named(const char *name) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].compute;
    return NULL;
}

/// Decodes hex digits in place; false if `hex` is anything else.
static bool decode(char *hex, size_t *bytes) {
    *bytes = 0;
    if (strcmp(hex, "x") == 0)
        return true;
    for (char *digits = hex; *digits != '\0'; digits += 2) {
        char pair[3] = {digits[0], digits[1], '\0'};
        char *end;
        const unsigned long value = strtoul(pair, &end, 16);
        if (end != pair + 2)
            return false;
        hex[(*bytes)++] = (char)value;
    }
    return true;
}

static bool line_holds(char *line, digest_function *compute) {
    const char *blanks = " \r\n";
    char *expected = strtok(line, blanks), *input = strtok(NULL, blanks);
    size_t expected_bytes, input_bytes;
    if (expected == NULL || input == NULL || !decode(expected, &expected_bytes) || !decode(input, &input_bytes))
        return false;
    // A copy of its own length lets the address sanitizer see a read past the end.
    uint8_t *exact = malloc(input_bytes > 0 ? input_bytes : 1);
    if (exact == NULL)
        return false;
    memcpy(exact, input, input_bytes);
    uint8_t digest[32];
    compute(digest, exact, input_bytes);
    free(exact);
    return expected_bytes == sizeof digest && memcmp(digest, expected, sizeof digest) == 0;
}

/// The number of the first line that doesn't hold, or 0; `*lines` is how many there were.
static size_t first_bad_line(FILE *vectors, digest_function *compute, size_t *lines) {
    char *line = NULL;
    size_t capacity = 0, bad = 0;
    *lines = 0;
    while (bad == 0 && getline(&line, &capacity, vectors) > 0) {
        ++*lines;
        if (!line_holds(line, compute))
            bad = *lines;
    }
    free(line);
    return bad;
}

int main(int argument_count, char **arguments) {
    digest_function *compute = argument_count == 3 ? function_named(arguments[1]) : NULL;
    FILE *vectors = compute != NULL ? fopen(arguments[2], "r") : NULL;
    if (vectors == NULL) {
        fputs("usage: finals keccak256|blake256|groestl256|jh256|skein256 VECTORS\n", stderr);
        return 2;
    }
    size_t lines;
    const size_t bad = first_bad_line(vectors, compute, &lines);
    fclose(vectors);
    if (bad > 0 || lines == 0) {
        fprintf(stderr, "%s: line %zu of %s doesn't hold\n", arguments[1], bad, arguments[2]);
        return 1;
    }
    printf("%s: %zu lines hold\n", arguments[1], lines);
    return 0;
}
