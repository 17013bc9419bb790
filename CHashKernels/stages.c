// The digest functions by themselves.
#include "finals/finals.h"
#include "include/kernel_stages.h"

typedef struct digest_function {
    const char *name;
    void (*run)(uint8_t *, const uint8_t *, size_t);
} digest_function;

static const digest_function functions[] = {
    {"keccak256", chk_keccak256}, {"blake256", chk_blake256}, {"groestl256", chk_groestl256},
    {"jh256", chk_jh256},         {"skein256", chk_skein256},
};

enum { FUNCTION_COUNT = sizeof(functions) / sizeof(functions[0]) };

size_t chk_digest_function_count(void) {
    return FUNCTION_COUNT;
}

const char *chk_digest_function_name(size_t index) {
    return index < FUNCTION_COUNT ? functions[index].name : NULL;
}

chk_status chk_digest_function_run(size_t index, uint8_t digest[CHK_DIGEST_BYTES], const uint8_t *input, size_t bytes) {
    if (index >= FUNCTION_COUNT || digest == NULL || (input == NULL && bytes > 0)) {
        return CHK_BAD_ARGUMENT;
    }
    functions[index].run(digest, input, bytes);
    return CHK_OK;
}
