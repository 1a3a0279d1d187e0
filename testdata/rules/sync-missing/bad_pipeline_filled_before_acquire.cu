// The loaders write the next rows into the ring and acquire the stage afterwards: the filters may
// still be reading there, or read what is not theirs yet. The second kernel looks at its stage before it waits for it.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int loaders = 64, filters = 64, depth = 2;

__global__ void smooth(const short *__restrict__ image, int *__restrict__ sums, int rows)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    __shared__ short ring[depth][loaders];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state,
                                    threadIdx.x < loaders ? cuda::pipeline_role::producer
                                                          : cuda::pipeline_role::consumer);
    if (threadIdx.x < loaders) {
        for (int row = 0; row < rows; ++row) {
            ring[row % depth][threadIdx.x] = image[row * loaders + threadIdx.x];
            pipe.producer_acquire();
            pipe.producer_commit();
        }
    } else {
        int sum = 0, own = threadIdx.x - loaders;
        for (int row = 0; row < rows; ++row) {
            pipe.consumer_wait();
            sum += ring[row % depth][(own + 1) % loaders]; // expect: sync-missing
            pipe.consumer_release();
        }
        sums[blockIdx.x * filters + own] = sum;
    }
}

__global__ void peek(const short *__restrict__ image, int *__restrict__ sums, int rows)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    __shared__ short ring[depth][loaders];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state, (size_t)loaders);
    if (threadIdx.x < loaders) {
        for (int row = 0; row < rows; ++row) {
            pipe.producer_acquire();
            ring[row % depth][threadIdx.x] = image[row * loaders + threadIdx.x];
            pipe.producer_commit();
        }
    } else {
        int sum = 0, own = threadIdx.x - loaders;
        for (int row = 0; row < rows; ++row) {
            int next = ring[row % depth][own]; // expect: sync-missing
            pipe.consumer_wait();
            sum += next;
            pipe.consumer_release();
        }
        sums[blockIdx.x * filters + own] = sum;
    }
}

void run(const short *image, int *sums, int rows)
{
    smooth<<<32, loaders + filters>>>(image, sums, rows);
    peek<<<32, loaders + filters>>>(image, sums, rows);
}
