// The barrier lies behind a line of given length, and so does the value that follows the line: it
// is written over the barrier.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void rotate(const float *in, float *out, int count)
{
    extern __shared__ __align__(16) unsigned char memory[];
    float *line = reinterpret_cast<float *>(memory);
    int bytes = count * (int)sizeof(float);
    uint64_t *stored = reinterpret_cast<uint64_t *>(memory + bytes);
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(stored, blockDim.x);
        *reinterpret_cast<float *>(memory + bytes) = in[0]; // expect: init-raw-access
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        line[i] = in[i];
    uint64_t token = ptx::mbarrier_arrive(stored);
    while (!ptx::mbarrier_try_wait(stored, token)) {
    }
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        out[i] = i + 1 < count ? line[i + 1] : *reinterpret_cast<float *>(memory + bytes);
}

void launch(const float *in, float *out, int count)
{
    rotate<<<1, 128, count * sizeof(float) + 16>>>(in, out, count);
}
