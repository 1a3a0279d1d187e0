// A finding in code that a macro writes stands where the macro is used, and is silenced there.
#include <cuda_runtime.h>

#define GROUP_SYNC(id) __barrier_sync_count((id), 32)
#define STORE_AND_SYNC(to, value, id)                                                              \
    do {                                                                                           \
        (to) = (value);                                                                            \
        GROUP_SYNC(id);                                                                            \
    } while (0)

__global__ void copy(const float *in, float *out)
{
    int warp = threadIdx.x / 32;
    GROUP_SYNC(warp); // barlint-ignore[named-id-range]: the numbers alias on purpose
    // NOLINTNEXTLINE(barlint-named-id-range)
    STORE_AND_SYNC(out[threadIdx.x], in[threadIdx.x], warp);
    // barlint-ignore[named-id-range]: over several lines
    STORE_AND_SYNC(out[threadIdx.x],
                   in[threadIdx.x],
                   warp);
}

void run(const float *in, float *out)
{
    copy<<<1, 1024>>>(in, out);
}
