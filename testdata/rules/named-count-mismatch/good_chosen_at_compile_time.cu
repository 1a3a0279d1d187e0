// Two counts for one id, in arms of which only one is compiled.
#include <cuda_runtime.h>

enum class Bar { QueryEmpty = 4 };

template <bool StoringWarp>
__global__ void epilogue(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    if constexpr (StoringWarp) {
        if (threadIdx.x >= 96) {
            asm volatile("bar.sync %0, %1;" ::"r"(static_cast<int>(Bar::QueryEmpty)), "r"(128)
                         : "memory");
            for (int i = threadIdx.x - 96; i < 96; i += 32)
                data[i] = line[i];
        } else {
            line[threadIdx.x] *= 2.0f;
            asm volatile("bar.arrive %0, %1;" ::"r"(static_cast<int>(Bar::QueryEmpty)), "r"(128)
                         : "memory");
        }
    } else {
        if (threadIdx.x < 96)
            asm volatile("bar.sync %0, %1;" ::"r"(static_cast<int>(Bar::QueryEmpty)), "r"(96)
                         : "memory");
        data[threadIdx.x] = line[threadIdx.x];
    }
}

void run(float *data)
{
    epilogue<true><<<1, 128>>>(data);
    epilogue<false><<<1, 128>>>(data);
}
