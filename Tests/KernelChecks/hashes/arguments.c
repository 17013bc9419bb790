// Bad arguments: each is answered by its status, and nothing is read or written.
#include "checks.h"

enum { INPUT_BYTES = 43 };

static uint8_t input[INPUT_BYTES];
static const uint8_t *inputs[CHK_LANES_MAX + 1];
static size_t input_bytes[CHK_LANES_MAX + 1];
static uint8_t *pads[CHK_LANES_MAX + 1];
static uint8_t digests[CHK_LANES_MAX + 1][CHK_DIGEST_BYTES];
static int failures;

static chk_batch good_batch(void) {
    return (chk_batch){
        .lanes = 1, .inputs = inputs, .input_bytes = input_bytes, .scratchpads = pads, .digests = digests};
}

static void expect(const char *what, chk_status expected, chk_status status) {
    if (status != expected) {
        fprintf(stderr, "%s: status %d instead of %d\n", what, (int)status, (int)expected);
        failures++;
    }
}

static size_t variant_where(bool needs_height, uint32_t minimum_input_bytes) {
    size_t variant = 0;
    while (chk_variant_at(variant) != NULL && (chk_variant_at(variant)->needs_height != needs_height ||
                                               chk_variant_at(variant)->minimum_input_bytes != minimum_input_bytes)) {
        variant++;
    }
    return variant;
}

static void try_indices(void) {
    chk_batch batch = good_batch();
    expect("variant beyond the table", CHK_BAD_ARGUMENT, chk_hash(chk_variant_count(), 0, &batch));
    expect("path beyond the table", CHK_NO_SUCH_PATH, chk_hash(0, chk_path_count(), &batch));
    expect("no batch", CHK_BAD_ARGUMENT, chk_hash(0, 0, NULL));
    for (size_t path = 0; path < chk_path_count(); path++) {
        if (!chk_path_supported(path)) {
            expect("path that this CPU lacks", CHK_NO_SUCH_PATH, chk_hash(0, path, &batch));
        }
    }
    if (chk_variant_at(chk_variant_count()) != NULL || chk_path_name(chk_path_count()) != NULL ||
        chk_known_answer_at(chk_known_answer_count()) != NULL || chk_path_supported(chk_path_count())) {
        fputs("a table answers beyond its end\n", stderr);
        failures++;
    }
}

static void try_batch_fields(void) {
    chk_batch batch = good_batch();
    batch.lanes = 0;
    expect("no lanes", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    batch.lanes = CHK_LANES_MAX + 1;
    expect("too many lanes", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    batch = good_batch();
    batch.inputs = NULL;
    expect("no inputs", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    batch = good_batch();
    batch.input_bytes = NULL;
    expect("no input lengths", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    batch = good_batch();
    batch.scratchpads = NULL;
    expect("no scratchpads", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    batch = good_batch();
    batch.digests = NULL;
    expect("no digests", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
}

static void try_flights(void) {
    _Alignas(CHK_FLIGHT_ALIGNMENT) static uint8_t zeros[2 * CHK_FLIGHT_ALIGNMENT];
    chk_flight *flight = (chk_flight *)zeros, *misaligned = (chk_flight *)(zeros + CHK_FLIGHT_ALIGNMENT / 2);
    chk_batch batch = good_batch();
    expect("no flight to start", CHK_BAD_ARGUMENT, chk_start(NULL, 0, 0, &batch));
    expect("misaligned flight to start", CHK_BAD_ARGUMENT, chk_start(misaligned, 0, 0, &batch));
    expect("start without a batch", CHK_BAD_ARGUMENT, chk_start(flight, 0, 0, NULL));
    expect("no flight to go on with", CHK_BAD_ARGUMENT, chk_next(NULL, &batch));
    expect("misaligned flight to go on with", CHK_BAD_ARGUMENT, chk_next(misaligned, &batch));
    expect("no next batch", CHK_BAD_ARGUMENT, chk_next(flight, NULL));
    expect("no flight to finish", CHK_BAD_ARGUMENT, chk_finish(NULL, batch.watch, digests));
    expect("nothing in flight to go on with", CHK_NOTHING_IN_FLIGHT, chk_next(flight, &batch));
    expect("nothing in flight to finish", CHK_NOTHING_IN_FLIGHT, chk_finish(flight, batch.watch, digests));
}

static void try_lanes(void) {
    chk_batch batch = good_batch();
    batch.lanes = 2;
    inputs[1] = NULL;
    expect("no input in lane 1", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    inputs[1] = input;
    pads[1] = NULL;
    expect("no scratchpad in lane 1", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    pads[1] = pads[0] + CHK_SCRATCHPAD_ALIGNMENT / 2;
    expect("misaligned scratchpad in lane 1", CHK_BAD_ARGUMENT, chk_hash(0, 0, &batch));
    pads[1] = pads[0];
    input_bytes[1] = 0;
    expect("empty input in lane 1", CHK_INPUT_TOO_SHORT, chk_hash(0, 0, &batch));
    input_bytes[1] = INPUT_BYTES - 1;
    expect("input of 42 bytes for a tweak", CHK_INPUT_TOO_SHORT, chk_hash(variant_where(false, 43), 0, &batch));
    input_bytes[1] = INPUT_BYTES;
}

static void try_programs(void) {
    chk_batch batch = good_batch();
    size_t variant = variant_where(true, 1);
    expect("no program", CHK_NO_PROGRAM, chk_hash(variant, 0, &batch));
    chk_program program;
    batch.program = &program;
    chk_program_make(&program, 1806260);
    chk_program other;
    chk_program_make(&other, 1806261);
    chk_code_origin origin;
    chk_code *code = chk_code_make(&other, &origin);
    if (code != NULL) {
        batch.code = code;
        expect("another program's code", CHK_BAD_ARGUMENT, chk_hash(variant, 0, &batch));
        batch.code = NULL;
        chk_code_free(code);
    }
    program.code[3].source = CHK_PROGRAM_CAPACITY;
    expect("program with a tenth register", CHK_BAD_ARGUMENT, chk_hash(variant, 0, &batch));
    if (chk_code_make(&program, &origin) != NULL) {
        fputs("machine code of a tenth register\n", stderr);
        failures++;
    }
    program.count = CHK_PROGRAM_CAPACITY + 1;
    expect("program beyond its capacity", CHK_BAD_ARGUMENT, chk_hash(variant, 0, &batch));
}

static void try_touching(void) {
    uint32_t word = 1;
    expect("touching nothing", CHK_OK, chk_touch(NULL, 0, (chk_watch){NULL, 0}));
    expect("touching no memory", CHK_BAD_ARGUMENT, chk_touch(NULL, 1, (chk_watch){NULL, 0}));
    expect("touching", CHK_OK, chk_touch(pads[0], 1 << 20, (chk_watch){&word, 1}));
    expect("touching for nobody", CHK_ABANDONED, chk_touch(pads[0], 1 << 20, (chk_watch){&word, 0}));
}

int check_arguments(void) {
    uint8_t *one[1];
    scratchpads_make(one, 1);
    for (size_t k = 0; k <= CHK_LANES_MAX; k++) {
        inputs[k] = input;
        input_bytes[k] = INPUT_BYTES;
        pads[k] = one[0];
    }
    chk_batch batch = good_batch();
    expect("a good batch", CHK_OK, chk_hash(variant_where(false, 43), 0, &batch));
    try_indices();
    try_batch_fields();
    try_flights();
    try_lanes();
    try_programs();
    try_touching();
    free(one[0]);
    printf("arguments: %d failed\n", failures);
    return failures != 0;
}
