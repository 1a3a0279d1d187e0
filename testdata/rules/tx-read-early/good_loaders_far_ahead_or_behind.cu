// Loaders stream the gates' weights, the other threads multiply. Copies of a stage and reads of one
// take many steps each, so that a role is far ahead of the other or behind it where nobody is made
// to wait: acquiring a stage and waiting for one is what keeps them apart.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int loaders = 64, math = 128, stages = 3, rows = 128, columns = 32;

template <typename Turn> __device__ void each_gate(int steps, Turn &&turn)
{
    int slot = 0;
    for (int step = 0; step < steps; ++step)
        for (int gate = 0; gate < 4; ++gate) {
            turn(step, gate, slot);
            slot = slot + 1 == stages ? 0 : slot + 1;
        }
}

template <int Rows>
__global__ void __launch_bounds__(loaders + math)
    cells(const float *__restrict__ weight, float *__restrict__ out, int steps)
{
    __shared__ alignas(16) float tile[stages][Rows * columns];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    const bool loads = block.thread_rank() < loaders;
    const auto role = loads ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (loads) {
        each_gate(steps, [&](int, int gate, int slot) {
            pipe.producer_acquire();
            for (int i = threadIdx.x * 4; i < Rows * columns; i += loaders * 4)
                cuda::memcpy_async(&tile[slot][i],
                                   weight + (blockIdx.x * 4 + gate) * Rows * columns + i,
                                   cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        });
    } else {
        const int at = threadIdx.x - loaders;
        float total = 0.f;
        each_gate(steps, [&](int step, int gate, int slot) {
            pipe.consumer_wait();
            float sum = 0.f;
            for (int row = 0; row < Rows; ++row)
                sum += tile[slot][row * columns + at % columns];
            pipe.consumer_release();
            total += sum;
        });
        out[blockIdx.x * Rows + at] = total;
    }
}

void run(const float *weight, float *out, int blocks, int steps)
{
    cells<rows><<<blocks, loaders + math>>>(weight, out, steps);
}
