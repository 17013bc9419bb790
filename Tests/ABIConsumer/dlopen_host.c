// A plain C program, not built for the library, that loads it while it runs.
//     dlopen-host LIBRARY
#include "blocminer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef const char *(*version_function)(void);
typedef blocminer_status_t (*hash_function)(const char *, const void *, size_t, uint64_t, uint8_t *);
typedef blocminer_status_t (*create_function)(const blocminer_options_t *, blocminer_t **);
typedef blocminer_status_t (*miner_function)(blocminer_t *);

// The address of a function, by way of memory: C has no cast from one kind of pointer to the other.
static int find(void *library, const char *name, void *function) {
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static int use(void *library) {
    version_function version;
    hash_function hash;
    create_function create;
    miner_function start, destroy;
    if (!find(library, "blocminer_version", &version) || !find(library, "blocminer_hash", &hash) ||
        !find(library, "blocminer_create", &create) || !find(library, "blocminer_start", &start) ||
        !find(library, "blocminer_destroy", &destroy)) {
        return 0;
    }
    uint8_t digest[BLOCMINER_HASH_SIZE];
    BLOCMINER_INIT(blocminer_options_t, options);
    options.threads = 1;
    blocminer_t *miner = NULL;
    printf("loaded %s\n", version());
    return hash("cn-pico", "input", 5, 0, digest) == BLOCMINER_OK && create(&options, &miner) == BLOCMINER_OK &&
           start(miner) == BLOCMINER_OK && destroy(miner) == BLOCMINER_OK;
}

int main(int count, char **arguments) {
    for (int round = 0; count == 2 && round < 3; round++) {
        void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        if (!use(library)) {
            fprintf(stderr, "a call failed in round %d\n", round);
            return 1;
        }
        dlclose(library);
    }
    return count == 2 ? 0 : 2;
}
