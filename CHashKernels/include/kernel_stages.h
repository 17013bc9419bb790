/// Parts of a hash by themselves, to be timed and compared. No hash is computed with them.
#ifndef KERNEL_STAGES_H
#define KERNEL_STAGES_H

#include "hash_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Added to a variant's index where a call takes one, it stands for the variant without its main loop: absorbing,
/// explode, implode, the last permutation and the closing digest. The digests are the same on every path, and no
/// algorithm's.
static const size_t CHK_SWEEP_ALONE = (size_t)1 << 31;

/// The digest functions: Keccak-256, and the four of which one closes a hash.
size_t chk_digest_function_count(void);
/// The function's name, such as "groestl256", for `index` < chk_digest_function_count(), else NULL.
const char *chk_digest_function_name(size_t index);
/// The digest of `input` by the function of this index; CHK_BAD_ARGUMENT for an unknown one.
chk_status chk_digest_function_run(size_t index, uint8_t digest[CHK_DIGEST_BYTES], const uint8_t *input, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
