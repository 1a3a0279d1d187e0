// The __pipeline_ primitives.
#ifndef BARLINT_CUDA_PIPELINE_PRIMITIVES_H
#define BARLINT_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"
#include <stddef.h>

__device__ void __pipeline_memcpy_async(void *__restrict__ dst_shared,
                                        const void *__restrict__ src_global, size_t size_and_align,
                                        size_t zfill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t prior);
__device__ void __pipeline_arrive_on(__mbarrier_t *barrier);

#endif
