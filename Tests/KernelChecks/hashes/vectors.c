// Known answers: every vector is hashed with different vectors in the neighbouring lanes.
#include "checks.h"

enum { VECTORS_MAX = 4096, INPUT_BYTES_MAX = 512 };

typedef struct vector {
    size_t variant;
    uint64_t height;
    size_t input_bytes;
    uint8_t input[INPUT_BYTES_MAX];
    uint8_t digest[CHK_DIGEST_BYTES];
} vector;

static vector vectors[VECTORS_MAX];
static size_t digests_compared;

static size_t variant_named(const char *name) {
    size_t variant = 0;
    while (variant < chk_variant_count() && strcmp(chk_variant_at(variant)->name, name) != 0) {
        variant++;
    }
    return variant;
}

static bool vector_read(vector *v, const char *line) {
    char name[64], input[2 * INPUT_BYTES_MAX + 1], digest[2 * CHK_DIGEST_BYTES + 1];
    unsigned long height;
    if (sscanf(line, "%63s %lu %1024s %64s", name, &height, input, digest) != 4) {
        return false;
    }
    v->variant = variant_named(name);
    v->height = height;
    v->input_bytes = hex_decode(input, v->input, sizeof(v->input));
    return v->variant < chk_variant_count() && v->input_bytes != SIZE_MAX &&
           hex_decode(digest, v->digest, sizeof(v->digest)) == CHK_DIGEST_BYTES;
}

/// The vectors on standard input; ends the program at a line that isn't one.
static size_t vectors_read(void) {
    static char line[4096];
    size_t count = 0;
    while (count < VECTORS_MAX && fgets(line, sizeof(line), stdin) != NULL) {
        if (!vector_read(&vectors[count], line)) {
            fprintf(stderr, "line %zu is no vector: %s", count + 1, line);
            exit(2);
        }
        count++;
    }
    return count;
}

/// Hashes the vectors `chosen`, one a lane, with that program and its code, and compares those of the program's height.
static bool batch_holds(size_t path, size_t lanes, vector *const chosen[], const chk_program *program,
                        const chk_code *code, uint8_t *const pads[]) {
    const uint8_t *inputs[CHK_LANES_MAX];
    size_t input_bytes[CHK_LANES_MAX];
    uint8_t digests[CHK_LANES_MAX][CHK_DIGEST_BYTES];
    for (size_t k = 0; k < lanes; k++) {
        inputs[k] = chosen[k]->input;
        input_bytes[k] = chosen[k]->input_bytes;
    }
    chk_batch batch = {.lanes = lanes,
                       .inputs = inputs,
                       .input_bytes = input_bytes,
                       .scratchpads = pads,
                       .program = program,
                       .code = code,
                       .digests = digests};
    chk_status status = chk_hash(chosen[0]->variant, path, &batch);
    const char *name = chk_variant_at(chosen[0]->variant)->name;
    if (status != CHK_OK) {
        fprintf(stderr, "%s on %s with %zu lanes: status %d\n", name, chk_path_name(path), lanes, (int)status);
        return false;
    }
    for (size_t k = 0; k < lanes; k++) {
        if (chosen[k]->height != program->height) {
            continue;
        }
        digests_compared++;
        if (memcmp(digests[k], chosen[k]->digest, CHK_DIGEST_BYTES) != 0) {
            fprintf(stderr, "%s on %s with %zu lanes%s: wrong digest in lane %zu, input of %zu bytes, height %lu\n",
                    name, chk_path_name(path), lanes, code != NULL ? ", native" : "", k, input_bytes[k],
                    (unsigned long)program->height);
            return false;
        }
    }
    return true;
}

/// The same with the program of `height`, interpreted and, where there is machine code for it, natively.
static bool batch_holds_in_all_forms(size_t path, size_t lanes, vector *const chosen[], uint64_t height,
                                     uint8_t *const pads[]) {
    chk_program program;
    chk_program_make(&program, height);
    bool holds = batch_holds(path, lanes, chosen, &program, NULL, pads);
    chk_code_origin origin;
    chk_code *code =
        holds && chk_variant_at(chosen[0]->variant)->needs_height ? chk_code_make(&program, &origin) : NULL;
    holds = holds && (code == NULL || batch_holds(path, lanes, chosen, &program, code, pads));
    chk_code_free(code);
    return holds;
}

/// Hashes a variant's vectors in batches, each started at a vector that no batch of its height has had yet.
static bool variant_holds(size_t path, size_t lanes, size_t batches, vector *const own[], size_t count,
                          uint8_t *const pads[]) {
    bool done[VECTORS_MAX] = {false};
    for (size_t first = 0; first < count && batches > 0; first++) {
        if (done[first]) {
            continue;
        }
        batches--;
        vector *chosen[CHK_LANES_MAX];
        for (size_t k = 0; k < lanes; k++) {
            size_t number = (first + k) % count;
            chosen[k] = own[number];
            done[number] = done[number] || own[number]->height == own[first]->height;
        }
        if (!batch_holds_in_all_forms(path, lanes, chosen, own[first]->height, pads)) {
            return false;
        }
    }
    return true;
}

int check_vectors(size_t path, size_t lanes, size_t batches_per_variant) {
    size_t count = vectors_read();
    uint8_t *pads[CHK_LANES_MAX];
    scratchpads_make(pads, lanes);
    int failures = 0;
    for (size_t variant = 0; variant < chk_variant_count(); variant++) {
        vector *own[VECTORS_MAX];
        size_t own_count = 0;
        for (size_t i = 0; i < count; i++) {
            if (vectors[i].variant == variant) {
                own[own_count++] = &vectors[i];
            }
        }
        if (!variant_holds(path, lanes, batches_per_variant, own, own_count, pads)) {
            failures++;
        }
    }
    free(pads[0]);
    printf("%s, %zu lanes: %zu digests compared, %d variants failed\n", chk_path_name(path), lanes, digests_compared,
           failures);
    return failures != 0 || digests_compared == 0;
}
