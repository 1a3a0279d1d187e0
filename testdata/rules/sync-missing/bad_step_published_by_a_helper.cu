// One thread says by st.release, in a function of its own, how many rows have been stored, while
// others may still store theirs.
#include <cstdint>
#include <cuda_runtime.h>

__device__ __forceinline__ void say(uint32_t *word, uint32_t value)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

struct Rows {
    float *data;
    uint32_t *count;
    uint32_t done = 0;

    __device__ void put(float value)
    {
        data[done * 256 + threadIdx.x] = value;
    }
    __device__ void advance()
    {
        if (++done % 8 == 0) {
            __syncthreads();
            if (threadIdx.x == 0)
                say(count, done);
        }
    }
    __device__ void finish()
    {
        if (threadIdx.x == 0)
            say(count, done); // expect: sync-missing
    }
};

__global__ void feed(const float *__restrict__ in, float *data, uint32_t *count, int rows)
{
    Rows to{data, count};
    for (int i = 0; i < rows; ++i) {
        to.put(2.0f * in[i * 256 + threadIdx.x]);
        to.advance();
    }
    to.finish();
}

void launch(const float *in, float *data, uint32_t *count, int rows)
{
    feed<<<1, 256>>>(in, data, count, rows);
}
