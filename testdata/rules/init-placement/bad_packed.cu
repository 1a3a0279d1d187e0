// A packed header in front of the barrier.
#include <cstdint>
#include <cuda/ptx>

struct __attribute__((packed)) Stage {
    uint32_t sequence;
    uint64_t full;
};

__global__ void consume(float *data)
{
    __shared__ __align__(16) unsigned char raw[sizeof(Stage)];
    Stage *stage = reinterpret_cast<Stage *>(raw);
    if (threadIdx.x == 0) {
        stage->sequence = 0;
        uint64_t *full = reinterpret_cast<uint64_t *>(raw + 4);
        cuda::ptx::mbarrier_init(full, 1); // expect: init-placement
    }
    __syncthreads();
    data[threadIdx.x] += 1.0f;
}

void run(float *data)
{
    consume<<<1, 128>>>(data);
}
