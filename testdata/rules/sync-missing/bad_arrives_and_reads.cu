// Who arrives at a barrier learns nothing of the others: to read what they have written, it waits.
#include <cuda_runtime.h>

// The second half of the block only arrives, as its own rows are done, but reads those of the first.
__global__ void by_number(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[128];
    row[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[threadIdx.x] = row[threadIdx.x + 64];
    } else {
        asm volatile("bar.arrive 1, 128;" ::: "memory");
        out[threadIdx.x] = row[threadIdx.x - 64]; // expect: sync-missing
    }
}

// The same at the barrier of the cluster: the read comes before the wait.
__global__ void __cluster_dims__(2, 1, 1) of_cluster(const float *__restrict__ in,
                                                     float *__restrict__ out)
{
    __shared__ float row[128];
    row[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    const float x = row[127 - threadIdx.x]; // expect: sync-missing
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
    out[blockIdx.x * 128 + threadIdx.x] = x;
}

void run(const float *in, float *out)
{
    by_number<<<1, 128>>>(in, out);
    of_cluster<<<2, 128>>>(in, out);
}
