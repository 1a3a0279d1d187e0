// The helper that starts the bulk store fences for all who have stored to the row: nobody else
// does.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline void send(float *to, const float *row, uint32_t bytes)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"((uint32_t)__cvta_generic_to_shared(row)), "r"(bytes)
                 : "memory");
}

__global__ void halve(const float *__restrict__ in, float *out)
{
    __shared__ alignas(16) float row[128];
    row[threadIdx.x] = 0.5f * in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        send(out + blockIdx.x * 128, row, sizeof row); // expect: tx-proxy-fence
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

void launch(const float *in, float *out, int rows)
{
    halve<<<rows, 128>>>(in, out);
}
