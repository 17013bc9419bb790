// The validating pool's hash library: the kernels' portable path behind the two functions that the pool calls.
//
//     clang -O2 -shared -fPIC -I CHashKernels/include Tests/PoolCheck/verifier.c $(find CHashKernels -name '*.c') \
//         -o libverifier.so
#include "hash_kernels.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PORTABLE_PATH = 0 };

static bool lists(const char *aliases, const char *name) {
    const size_t length = strlen(name);
    while (*aliases != '\0') {
        const size_t word = strcspn(aliases, " ");
        if (word > 0 && word == length && strncasecmp(aliases, name, length) == 0)
            return true;
        aliases += word + strspn(aliases + word, " ");
    }
    return false;
}

/// The index of the variant of this name or alias, in any case; chk_variant_count() if there is none.
static size_t variant_named(const char *name) {
    size_t index = 0;
    while (index < chk_variant_count() && strcasecmp(chk_variant_at(index)->name, name) != 0 &&
           !lists(chk_variant_at(index)->aliases, name))
        index++;
    return index;
}

/// The canonical name of an algorithm, NULL if it is unknown.
const char *xh_canonical(const char *algo) {
    const chk_variant *variant = chk_variant_at(variant_named(algo));
    return variant != NULL ? variant->name : NULL;
}

/// Hashes `blob`; 0 if it could be hashed.
int xh_hash(const char *algo, const uint8_t *blob, size_t len, uint64_t height, uint8_t out[CHK_DIGEST_BYTES]) {
    const size_t index = variant_named(algo);
    const chk_variant *variant = chk_variant_at(index);
    if (variant == NULL)
        return -1;
    uint8_t *scratchpad = aligned_alloc(CHK_SCRATCHPAD_ALIGNMENT, variant->memory_bytes);
    if (scratchpad == NULL)
        return -1;
    chk_program program;
    if (variant->needs_height)
        chk_program_make(&program, height);
    uint8_t digests[1][CHK_DIGEST_BYTES];
    const chk_batch batch = {
        .lanes = 1,
        .inputs = &blob,
        .input_bytes = &len,
        .scratchpads = &scratchpad,
        .program = variant->needs_height ? &program : NULL,
        .digests = digests,
    };
    const chk_status status = chk_hash(index, PORTABLE_PATH, &batch);
    free(scratchpad);
    if (status != CHK_OK)
        return -1;
    memcpy(out, digests[0], CHK_DIGEST_BYTES);
    return 0;
}
