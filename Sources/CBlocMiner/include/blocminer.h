/* blocminer.h - CryptoNight CPU mining inside a program, such as a wallet's daemon.
 *
 * C11 and C++17. Link with libblocminer: pkg-config --cflags --libs blocminer.
 *
 * Conventions
 *
 * - Structs begin with their size: set `size` to sizeof the struct, zero the rest, then fill in what you need
 *   (BLOCMINER_INIT does the first two). Newer versions add members at the end; a program built with an older header
 *   passes the size that it knows and goes on working.
 * - Functions that can fail return a blocminer_status_t. blocminer_last_error() then says what was wrong, and what to
 * do.
 * - A null pointer, a wrong size, a handle that has been destroyed: an error code, never a crash.
 * - All functions may be called from any thread, at the same time.
 * - Text is UTF-8 and ends in a NUL. Text that is passed in is copied during the call.
 * - The library installs no signal handler, writes nothing to standard output or error, never ends the process, and
 *   changes neither directory nor locale. It writes one file at most: the tuning results, where `tuning_folder` asks
 * for it. It can't be unloaded: dlclose() leaves it in place.
 * - After fork() the calls of a child whose parent used the library return BLOCMINER_FORKED. fork() and then exec() is
 *   safe. A child of a parent that hasn't used it is free to.
 */
#ifndef BLOCMINER_H
#define BLOCMINER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when something is added. The library's soname goes up when something is taken away. */
#define BLOCMINER_HEADER_VERSION 1

/* Bytes of a hash. */
#define BLOCMINER_HASH_SIZE 32

/* Where the nonce lies in a hashing blob: 4 bytes, the lowest first. */
#define BLOCMINER_NONCE_OFFSET 39

/* Bytes of the longest hashing blob. */
#define BLOCMINER_BLOB_SIZE_MAX 1024

/* Declares a struct, zeroed but for its size:  BLOCMINER_INIT(blocminer_options_t, options); */
#ifdef __cplusplus
#define BLOCMINER_INIT(type, name)                                                                                     \
    type name = {};                                                                                                    \
    name.size = sizeof(type)
#else
#define BLOCMINER_INIT(type, name)                                                                                     \
    type name = {0};                                                                                                   \
    name.size = sizeof(type)
#endif

/* A miner. */
typedef struct blocminer blocminer_t;

/* How a call ended: one of BLOCMINER_OK … below. */
typedef int32_t blocminer_status_t;

enum {
    /* It was done. */
    BLOCMINER_OK = 0,
    /* A pointer is null or a value is out of range. */
    BLOCMINER_INVALID_ARGUMENT = 1,
    /* A struct's size is smaller than its first version or is absurd. */
    BLOCMINER_INVALID_SIZE = 2,
    /* The miner has been destroyed, or never was one. */
    BLOCMINER_INVALID_HANDLE = 3,
    /* No algorithm has this name. */
    BLOCMINER_UNKNOWN_ALGORITHM = 4,
    /* The miner can't do that now: it runs already, or is being stopped, or works for a pool. */
    BLOCMINER_WRONG_STATE = 5,
    /* Not to be called within an event callback. */
    BLOCMINER_IN_CALLBACK = 6,
    /* The process is the child of one that used the library. */
    BLOCMINER_FORKED = 7,
    /* There is not enough memory, or there are not enough huge pages. */
    BLOCMINER_NO_MEMORY = 8,
    /* Something failed here and now: blocminer_last_error() tells what. */
    BLOCMINER_FAILED = 9,
    /* blocminer_verify: the hash doesn't meet the difficulty. blocminer_algorithm_at: there are no more. */
    BLOCMINER_NO = 10
};

/* The status in words: a constant, never null. */
const char *blocminer_status_text(blocminer_status_t status);

/* What the calling thread's latest failed call found wrong, a sentence. Never null; empty before the first failure.
 * Valid until the thread's next call of this library. */
const char *blocminer_last_error(void);

/* The library's version, such as "0.1.0". */
const char *blocminer_version(void);

/* ------------------------------------------------------------------ algorithms */

/* An algorithm. The strings are constants. */
typedef struct blocminer_algorithm_t {
    size_t size;
    /* The canonical name, such as "cn-heavy/xhv". */
    const char *name;
    /* Other names, separated by blanks; may be empty. Any name is understood, in any case. */
    const char *aliases;
    /* Bytes of its scratchpad. */
    uint64_t scratchpad_bytes;
    /* Bytes of the shortest input. */
    uint32_t minimum_input_bytes;
    /* 1 where hashing needs the block height, else 0. */
    uint32_t needs_height;
} blocminer_algorithm_t;

/* How many algorithms there are. */
size_t blocminer_algorithms(void);

/* Describes the algorithm of this number, counted from 0. BLOCMINER_NO behind the last one. */
blocminer_status_t blocminer_algorithm_at(size_t number, blocminer_algorithm_t *algorithm);

/* ------------------------------------------------------------------ hashing */

/* Hashes `input_bytes` bytes at `input` into 32 bytes at `hash`, on the calling thread. `height` is the block height,
 * for algorithms that need one. Maps a scratchpad for the time of the call. */
blocminer_status_t blocminer_hash(const char *algorithm, const void *input, size_t input_bytes, uint64_t height,
                                  uint8_t *hash);

/* Whether the input's hash, as a little-endian number of 256 bits, times `difficulty` stays below 2^256.
 * BLOCMINER_OK: it does; BLOCMINER_NO: it doesn't; otherwise it couldn't be hashed. `hash` may be null. */
blocminer_status_t blocminer_verify(const char *algorithm, const void *input, size_t input_bytes, uint64_t height,
                                    uint64_t difficulty, uint8_t *hash);

/* ------------------------------------------------------------------ events */

/* What happened. */
typedef int32_t blocminer_event_type_t;

enum {
    /* Mining ended by itself or was stopped. `status` is BLOCMINER_OK in the latter case; else `text` says why. The
     * last event of a run. */
    BLOCMINER_EVENT_ENDED = 1,
    /* Workers begin: `threads`, `lanes`. */
    BLOCMINER_EVENT_STARTED = 2,
    /* A job replaced all earlier ones: `job`, `difficulty`, `height`. */
    BLOCMINER_EVENT_JOB = 3,
    /* A share came to its end: `outcome`, `job`, `nonce`, `hash`, `difficulty`, `height`. */
    BLOCMINER_EVENT_SHARE = 4,
    /* Every nonce of the job set by blocminer_set_job has been tried: `job`. Set another one. The last shares may still
     * be on their way. */
    BLOCMINER_EVENT_EXHAUSTED = 5,
    /* The hashrate, every ten seconds: `hashes_per_second`. */
    BLOCMINER_EVENT_HASHRATE = 6,
    /* The pool took the login. */
    BLOCMINER_EVENT_CONNECTED = 7,
    /* The connection ended or never came to be; it is tried again. */
    BLOCMINER_EVENT_DISCONNECTED = 8,
    /* The fastest form of work was found: `threads`, `lanes`, `hashes_per_second`. */
    BLOCMINER_EVENT_TUNED = 9,
    /* Hashing pauses. */
    BLOCMINER_EVENT_PAUSED = 10,
    /* Hashing goes on. */
    BLOCMINER_EVENT_RESUMED = 11,
    /* Something worth a line in a log. */
    BLOCMINER_EVENT_NOTE = 12,
    /* Something worth the user's attention. */
    BLOCMINER_EVENT_WARNING = 13
};

/* How a share ended. */
typedef int32_t blocminer_share_outcome_t;

enum {
    /* A nonce for the job set by blocminer_set_job, hashed twice: yours to submit. */
    BLOCMINER_SHARE_FOUND = 1,
    /* The pool took it. */
    BLOCMINER_SHARE_ACCEPTED = 2,
    /* The pool refused it: `text`. */
    BLOCMINER_SHARE_REJECTED = 3,
    /* It came too late. */
    BLOCMINER_SHARE_STALE = 4,
    /* It failed the second look: a fault of the machine. */
    BLOCMINER_SHARE_INVALID = 5
};

/* An event. It and what it points to are valid during the callback. Members that its type doesn't name are zero. */
typedef struct blocminer_event_t {
    size_t size;
    blocminer_event_type_t type;
    blocminer_status_t status;
    /* The event in words, for a log: one line, never null, without secrets. */
    const char *text;
    /* The number given to blocminer_set_job; 0 for a pool's job. */
    uint64_t job;
    uint64_t height;
    uint64_t difficulty;
    double hashes_per_second;
    blocminer_share_outcome_t outcome;
    /* The nonce as a little-endian number. */
    uint32_t nonce;
    uint32_t threads;
    uint32_t lanes;
    uint8_t hash[BLOCMINER_HASH_SIZE];
} blocminer_event_t;

/* Hears of events. Always on the same thread, one event at a time, never on a thread that called the library, and never
 * after blocminer_destroy() has returned. May call the library, but neither blocminer_stop() nor blocminer_destroy():
 * these return BLOCMINER_IN_CALLBACK. While it takes its time mining goes on; of the events that wait the oldest are
 * dropped beyond 4096, shares that were found last of all. */
typedef void (*blocminer_callback_t)(void *context, const blocminer_event_t *event);

/* ------------------------------------------------------------------ miners */

/* A pool and how to log in to it. */
typedef struct blocminer_pool_t {
    size_t size;
    /* As in "pool.example.com:3333", with TLS "stratum+ssl://pool.example.com:3333". */
    const char *address;
    /* Wallet address or user name. */
    const char *user;
    /* Null: "x". */
    const char *password;
    /* This machine's name at the pool, or null. */
    const char *rig_id;
    /* 1: byte 42 of every blob is kept, though the pool doesn't ask for it. */
    uint32_t is_nicehash;
    /* 1: whatever certificate the pool shows is believed. */
    uint32_t is_tls_insecure;
    /* The SHA-256 of the one certificate that is believed, in hex, or null. */
    const char *tls_fingerprint;
    /* A PEM file of the authorities that are believed, or null: those of the system. */
    const char *tls_authorities;
    /* A SOCKS5 proxy, as in "socks5://127.0.0.1:9050", or null. */
    const char *proxy;
} blocminer_pool_t;

/* Which pages scratchpads are asked for. */
typedef int32_t blocminer_pages_t;

enum {
    /* Reserved pages of 2 MiB, else transparent ones, else ordinary ones. */
    BLOCMINER_PAGES_PREFER_HUGE = 0,
    /* Reserved pages of 2 MiB, or an error. */
    BLOCMINER_PAGES_REQUIRE_HUGE = 1,
    /* Ordinary pages. */
    BLOCMINER_PAGES_ORDINARY = 2
};

/* What a miner is told. */
typedef struct blocminer_options_t {
    size_t size;
    /* The algorithm; null: the pool, the coin or the job names it. */
    const char *algorithm;
    /* The coin whose address is checked and whose algorithm is mined, such as "bloc"; null: by the address. */
    const char *coin;
    /* The pools, the best one first, or null: jobs come from blocminer_set_job(). An array of structs of one size. */
    const blocminer_pool_t *pools;
    /* How many pools there are. */
    size_t pool_count;
    /* Worker threads, 1 … 240; 0: as many as have room in the caches. */
    uint32_t threads;
    /* Hashes in flight on each thread, 1 … 64; 0: 1, or what tuning finds. */
    uint32_t lanes;
    /* The processing units to run on, as in "0,2-5"; null: chosen by the machine's caches and cores. */
    const char *affinity;
    /* The instructions to hash with, such as "aesni"; null: the best that pass a self-test. */
    const char *path;
    blocminer_pages_t pages;
    /* 1: look for the fastest threads, lanes and path while mining, where `lanes` is 0. */
    uint32_t tunes;
    /* Memory for all scratchpads while tuning, in bytes; 0: a quarter of what is free. */
    uint64_t memory_bytes;
    /* The folder that keeps what tuning found, in tuning.json; null: it is kept nowhere. */
    const char *tuning_folder;
    /* Who hears of events, or null. `context` is passed on. */
    blocminer_callback_t callback;
    void *context;
} blocminer_options_t;

/* Makes a miner that does nothing yet. It belongs to the caller until blocminer_destroy(). */
blocminer_status_t blocminer_create(const blocminer_options_t *options, blocminer_t **miner);

/* Begins to mine and returns. What goes wrong later comes as BLOCMINER_EVENT_ENDED. Can be called again after
 * blocminer_stop(); goes on with the last job that was set. */
blocminer_status_t blocminer_start(blocminer_t *miner);

/* Stops hashing until blocminer_resume(); the connection stays. For a running miner. */
blocminer_status_t blocminer_pause(blocminer_t *miner);

/* Goes on after blocminer_pause(). For a running miner. */
blocminer_status_t blocminer_resume(blocminer_t *miner);

/* Stops hashing at once, waits for a pool's verdicts on shares that were found (2 s at most), frees the scratchpads and
 * returns. A miner that doesn't run is left as it is. Events may follow until blocminer_destroy(). */
blocminer_status_t blocminer_stop(blocminer_t *miner);

/* Stops the miner and frees everything. No callback runs when it returns, or will ever run again. */
blocminer_status_t blocminer_destroy(blocminer_t *miner);

/* ------------------------------------------------------------------ own jobs */

/* A block template to mine. */
typedef struct blocminer_job_t {
    size_t size;
    /* Your number for it: comes back with its shares. Not 0. */
    uint64_t job;
    /* The hashing blob (not the block template), 43 … 1024 bytes, with the nonce at byte 39. */
    const void *blob;
    size_t blob_bytes;
    /* The algorithm; null: that of the options. */
    const char *algorithm;
    /* A share meets this difficulty with all its 256 bits, as a daemon checks it; 0: `target` is given. */
    uint64_t difficulty;
    /* Bytes 24 … 31 of a share's hash, as a little-endian number, lie below this; 0: `difficulty` is given. */
    uint64_t target;
    /* The block height, for algorithms that need it. */
    uint64_t height;
    /* The nonces to try, both included. Both 0: all of them. */
    uint32_t first_nonce;
    uint32_t last_nonce;
} blocminer_job_t;

/* Mines `job` in place of the one before, now or from blocminer_start() on; null: nothing. For a miner without a pool.
 * Returns at once. A job with the blob and nonces of an earlier one goes on where that was left. */
blocminer_status_t blocminer_set_job(blocminer_t *miner, const blocminer_job_t *job);

/* ------------------------------------------------------------------ figures */

/* What a miner has done since blocminer_start(). After blocminer_stop() the figures stay until the next start. */
typedef struct blocminer_statistics_t {
    size_t size;
    /* 1 from blocminer_start() until mining has ended. */
    uint32_t is_running;
    /* 1 after blocminer_pause(). */
    uint32_t is_paused;
    uint64_t hashes;
    /* Time with something to hash. */
    double hashing_seconds;
    /* Over all hashing time. */
    double hashes_per_second;
    /* Over the last 10 s, 60 s and 15 min, or over what there is while that is less; 0: nothing measured yet. */
    double hashes_per_second_10s;
    double hashes_per_second_60s;
    double hashes_per_second_15min;
    /* Taken by the pool; for own jobs: found. */
    uint64_t shares_accepted;
    uint64_t shares_rejected;
    uint64_t shares_stale;
    uint64_t shares_invalid;
    /* Being checked, or waiting for the pool's verdict. */
    uint64_t shares_pending;
    /* Of the latest job. */
    uint64_t difficulty;
    uint32_t threads;
    uint32_t lanes;
    /* Of all scratchpads, in units of 2 MiB: how many lie on huge pages, and how many there are. */
    uint32_t huge_pages;
    uint32_t total_pages;
} blocminer_statistics_t;

/* The figures at this moment. */
blocminer_status_t blocminer_statistics(blocminer_t *miner, blocminer_statistics_t *statistics);

#ifdef __cplusplus
}
#endif

#endif
