// The memory's limits: dependent loads for its latency, independent updates for its rate of random lines.
#include "include/memory_ceiling.h"
#include "kernel.h"

#if defined(__x86_64__)
#define CHK_PREFETCHES __attribute__((target("prfchw"))) // else a prefetch for write is compiled to one for reading
#else
#define CHK_PREFETCHES
#endif

enum {
    LOADS_PER_LOOK = 2048, // 300 µs at 150 ns each
    UPDATES_PER_LOOK = 16384,
};

static const uint64_t LARGEST_CHASE = UINT64_C(1) << 38;

/// A new state of a generator of 64 bits (Knuth's multiplier); the high half is the random one.
CHK_ALWAYS_INLINE uint64_t advanced(uint64_t state) {
    return state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

// Dependent loads.

static uint64_t *line_at(uint8_t *memory, uint64_t line) {
    return (uint64_t *)(memory + line * CHK_LINE_BYTES);
}

chk_status chk_chase_link(uint8_t *memory, size_t bytes, uint64_t seed, chk_watch watch) {
    if (memory == NULL || (uintptr_t)memory % CHK_LINE_BYTES != 0 || bytes == 0 || bytes % CHK_LINE_BYTES != 0 ||
        bytes > LARGEST_CHASE) {
        return CHK_BAD_ARGUMENT;
    }
    uint64_t lines = bytes / CHK_LINE_BYTES;
    for (uint64_t line = 0; line < lines; line++) {
        *line_at(memory, line) = line;
    }
    // Exchanging each with an earlier one, never with itself, makes a permutation of a single cycle.
    for (uint64_t line = lines - 1; line > 0; line--) {
        if (line % LOADS_PER_LOOK == 0 && chk_abandoned(watch)) {
            return CHK_ABANDONED;
        }
        seed = advanced(seed);
        uint64_t *one = line_at(memory, line), *other = line_at(memory, (seed >> 32) * line >> 32);
        uint64_t link = *one;
        *one = *other;
        *other = link;
    }
    return CHK_OK;
}

chk_status chk_chase_follow(const uint8_t *memory, uint64_t loads, chk_watch watch, uint64_t *place) {
    if (memory == NULL || place == NULL) {
        return CHK_BAD_ARGUMENT;
    }
    uint64_t line = *place;
    for (uint64_t left = loads; left > 0; left--) {
        if (left % LOADS_PER_LOOK == 0 && chk_abandoned(watch)) {
            return CHK_ABANDONED;
        }
        memcpy(&line, memory + line * CHK_LINE_BYTES, sizeof(line));
    }
    *place = line;
    return CHK_OK;
}

// Independent updates.

CHK_ALWAYS_INLINE uint8_t *chosen_line(const chk_updates *updates, uint8_t *pad, uint64_t state) {
    return pad + ((state >> 32) * CHK_LINE_BYTES & (updates->pad_bytes - 1));
}

CHK_ALWAYS_INLINE void update_line(uint8_t *at, uint64_t change) {
    uint64_t words[2];
    memcpy(words, at, sizeof(words));
    words[0] += 1;
    words[1] = (words[1] ^ change) + (words[1] >> 7);
    memcpy(at, words, sizeof(words));
}

typedef struct update_position {
    uint64_t state;
    size_t lane; ///< whose turn it is
} update_position;

CHK_ALWAYS_INLINE uint8_t *next_line(const chk_updates *updates, update_position *position) {
    uint8_t *at = chosen_line(updates, updates->pads[position->lane], position->state);
    position->state = advanced(position->state);
    position->lane = position->lane + 1 < updates->lanes ? position->lane + 1 : 0;
    return at;
}

CHK_PREFETCHES static bool update_unprefetched(const chk_updates *updates, uint64_t count, update_position *position) {
    for (; count > 0; count--) {
        if (count % UPDATES_PER_LOOK == 0 && chk_abandoned(updates->watch)) {
            return false;
        }
        update_line(next_line(updates, position), count);
    }
    return true;
}

/// A ring of the lines that are on their way: the oldest is updated and makes room for a new one.
CHK_PREFETCHES static bool update_stream(const chk_updates *updates, uint64_t count, update_position *position) {
    uint8_t *ring[CHK_UPDATE_DEPTH_MAX];
    size_t depth = updates->depth < count ? updates->depth : (size_t)count;
    for (size_t k = 0; k < depth; k++) {
        ring[k] = next_line(updates, position);
        __builtin_prefetch(ring[k], 1);
    }
    size_t oldest = 0;
    for (uint64_t left = count; left > depth; left--) {
        if (left % UPDATES_PER_LOOK == 0 && chk_abandoned(updates->watch)) {
            return false;
        }
        update_line(ring[oldest], left);
        ring[oldest] = next_line(updates, position);
        __builtin_prefetch(ring[oldest], 1);
        oldest = oldest + 1 < depth ? oldest + 1 : 0;
    }
    for (size_t k = 0; k < depth; k++) {
        update_line(ring[k], k);
    }
    return true;
}

typedef struct walker {
    uint8_t *pad, *at;
    uint64_t state;
} walker;

CHK_ALWAYS_INLINE void walker_step(const chk_updates *updates, walker *walker) {
    update_line(walker->at, walker->state);
    walker->state = advanced(walker->state);
    walker->at = chosen_line(updates, walker->pad, walker->state);
    __builtin_prefetch(walker->at, 1);
}

/// Each walker has its state and its pad, and a line on its way while the others have their turns.
CHK_PREFETCHES static bool update_lock_step(const chk_updates *updates, uint64_t count, update_position *position) {
    walker walkers[CHK_UPDATE_DEPTH_MAX];
    size_t depth = updates->depth;
    for (size_t k = 0; k < depth; k++) {
        uint64_t state = position->state ^ k << 40;
        uint8_t *pad = updates->pads[k % updates->lanes];
        walkers[k] = (walker){pad, chosen_line(updates, pad, state), state};
    }
    const uint64_t passes = count / depth, passes_per_look = UPDATES_PER_LOOK / depth;
    for (uint64_t left = passes; left > 0; left--) {
        if (left % passes_per_look == 0 && chk_abandoned(updates->watch)) {
            return false;
        }
        for (size_t k = 0; k < depth; k++) {
            walker_step(updates, &walkers[k]);
        }
    }
    for (size_t k = 0; k < count % depth; k++) {
        walker_step(updates, &walkers[k]);
    }
    position->state = advanced(walkers[0].state);
    return true;
}

static bool pads_are_sound(const chk_updates *updates) {
    if (updates == NULL || updates->pads == NULL || updates->lanes < 1 || updates->lanes > CHK_LANES_MAX ||
        updates->pad_bytes < CHK_LINE_BYTES || (updates->pad_bytes & (updates->pad_bytes - 1)) != 0) {
        return false;
    }
    for (size_t lane = 0; lane < updates->lanes; lane++) {
        if (updates->pads[lane] == NULL || (uintptr_t)updates->pads[lane] % CHK_LINE_BYTES != 0) {
            return false;
        }
    }
    return true;
}

chk_status chk_update(const chk_updates *updates, uint64_t count, uint64_t *seed) {
    if (!pads_are_sound(updates) || seed == NULL || updates->depth > CHK_UPDATE_DEPTH_MAX ||
        (updates->shape != CHK_UPDATE_STREAM && (updates->shape != CHK_UPDATE_LOCK_STEP || updates->depth == 0))) {
        return CHK_BAD_ARGUMENT;
    }
    update_position position = {advanced(*seed), 0};
    bool is_done = updates->shape == CHK_UPDATE_LOCK_STEP ? update_lock_step(updates, count, &position)
                   : updates->depth == 0                  ? update_unprefetched(updates, count, &position)
                                                          : update_stream(updates, count, &position);
    *seed = position.state;
    return is_done ? CHK_OK : CHK_ABANDONED;
}

uint64_t chk_update_sum(const chk_updates *updates) {
    uint64_t sum = 0;
    for (size_t lane = 0; pads_are_sound(updates) && lane < updates->lanes; lane++) {
        for (size_t offset = 0; offset < updates->pad_bytes; offset += CHK_LINE_BYTES) {
            uint64_t word;
            memcpy(&word, updates->pads[lane] + offset, sizeof(word));
            sum += word;
        }
    }
    return sum;
}
