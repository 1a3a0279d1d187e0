// The rows' lengths are filled in before all threads meet; behind that nobody changes them, and it
// is all the same when the compiler reads them. What the groups hand each other is read in
// assembly.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int ROWS = 8;

__device__ inline void group_sync(int id)
{
    asm volatile("bar.sync %0, 128;" ::"r"(id));
}

__device__ inline float read_word(uint32_t at)
{
    float word;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(word) : "r"(at));
    return word;
}

__device__ inline void write_word(uint32_t at, float word)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(word));
}

__global__ void __launch_bounds__(256)
    reverse_rows(const float *__restrict__ in, float *__restrict__ out,
                 const int *__restrict__ length)
{
    __shared__ int lengths[ROWS];
    __shared__ alignas(16) float line[2][128];
    if (threadIdx.x < ROWS)
        lengths[threadIdx.x] = length[blockIdx.x * ROWS + threadIdx.x];
    __syncthreads();
    const int group = threadIdx.x / 128, lane = threadIdx.x % 128;
    const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(&line[group][0]));
    for (int row = group; row < ROWS; row += 2) {
        const int64_t first = (int64_t)(blockIdx.x * ROWS + row) * 128;
        write_word(at + 4 * lane, lane < lengths[row] ? in[first + lane] : 0.0f);
        group_sync(1 + group);
        out[first + lane] =
            lane < lengths[row] ? read_word(at + 4 * (lengths[row] - 1 - lane)) : 0.0f;
        group_sync(1 + group);
    }
}

void run(const float *in, float *out, const int *length, int blocks)
{
    reverse_rows<<<blocks, 256>>>(in, out, length);
}
