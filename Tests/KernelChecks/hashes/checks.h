/// What the kernel checks share.
#ifndef CHECKS_H
#define CHECKS_H

#include "hash_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One check: 0 when it holds, 1 when it fails (it has said how on standard error).
int check_vectors(size_t path, size_t lanes, size_t batches_per_variant);
int check_flight(size_t path, size_t lanes, const char *variant); ///< NULL: every variant
int check_abandoning(size_t path, size_t lanes);
int check_arguments(void);
int check_edges(void);

/// Scratchpads for `lanes` hashes of any variant; ends the program when there is no memory. Free pads[0].
void scratchpads_make(uint8_t *pads[], size_t lanes);

/// Decodes hex digits into `bytes`, which has room for `capacity`; the count, or SIZE_MAX when they aren't hex.
size_t hex_decode(const char *hex, uint8_t *bytes, size_t capacity);

#endif
