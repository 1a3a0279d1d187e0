// The state of a turn is made of a list in braces, and the first side begins with the other parity.
// A block without a row never gives the turn that its second warp waits for.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

struct Stage {
    int index;
    uint32_t parity;
    __device__ Stage(int i, uint32_t p) : index(i), parity(p)
    {
    }
};

class Turn
{
    uint64_t *bar_;
    int side_;
    Stage stage_;

  public:
    __device__ Turn(uint64_t *bar, int side) : bar_(bar), side_(side), stage_({0, side == 0})
    {
    }
    __device__ void await()
    {
        while (!ptx::mbarrier_try_wait_parity(&bar_[stage_.index * 2 + side_], stage_.parity)) {
        }
    }
    __device__ void give()
    {
        ptx::mbarrier_arrive(&bar_[stage_.index * 2 + (side_ + 1) % 2]);
    }
};

__global__ void in_turn(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ uint64_t turns[2];
    const int lane = threadIdx.x % 32, side = threadIdx.x / 32;
    if (threadIdx.x < 2)
        ptx::mbarrier_init(&turns[threadIdx.x], 32);
    __syncthreads();
    Turn turn(turns, side);
    int row = blockIdx.x;
    if (side == 0) {
        bool first = true;
        for (; row < rows; row += gridDim.x) {
            out[row * 64 + lane] = 0.5f * in[row * 64 + lane];
            if (first)
                turn.give();
            first = false;
        }
    } else {
        turn.await(); // expect: arrive-loop-mismatch
        for (; row < rows; row += gridDim.x)
            out[row * 64 + 32 + lane] = 2.0f * in[row * 64 + 32 + lane];
    }
}

void launch(const float *in, float *out, int rows)
{
    in_turn<<<96, 64>>>(in, out, rows);
}
