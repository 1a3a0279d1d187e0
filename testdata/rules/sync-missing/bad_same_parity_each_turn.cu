// Threads that ask for the first phase in every turn: nothing stops them in most, and they read the
// row whenever they like; or they come when the second one is over, and wait for a third for ever.
#include <cuda/ptx>

// One thread hands out rows, until a counter of the grid says that there are none left.
__global__ void scale(int *next, int rows, const float *in, float *out)
{
    __shared__ int row;
    __shared__ uint64_t told, taken;
    if (threadIdx.x == 0) {
        cuda::ptx::mbarrier_init(&told, 1);
        cuda::ptx::mbarrier_init(&taken, 128);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned turn = 0;; ++turn) {
            int found = atomicAdd(next, 1);
            if (turn > 0) {
                while (!cuda::ptx::mbarrier_try_wait_parity(&taken, (turn - 1) & 1)) {
                }
            }
            row = found < rows ? found : -1;
            cuda::ptx::mbarrier_arrive(&told);
            if (found >= rows)
                return;
        }
    } else if (threadIdx.x >= 32) {
        for (unsigned turn = 0;; ++turn) {
            while (!cuda::ptx::mbarrier_try_wait_parity(&told, 0)) { // expect: phase-parity-flip
            }
            int mine = row; // expect: sync-missing
            cuda::ptx::mbarrier_arrive(&taken);
            if (mine < 0)
                return;
            out[mine * 128 + threadIdx.x - 32] = 2 * in[mine * 128 + threadIdx.x - 32];
        }
    }
}

void launch(int *next, int rows, const float *in, float *out)
{
    scale<<<64, 160>>>(next, rows, in, out);
}
