// Every thread asks a flag in global memory before the rounds and one changes it behind them. How
// many rounds there are is read from memory; each of them has a barrier, and no request has none.
#include <cuda_runtime.h>

__global__ void pick_best(bool *finished, int *token, const int *wanted, const float *score,
                          const int *end_token, int width)
{
    __shared__ int chosen;
    const int request = blockIdx.x;
    const int count = wanted[request];
    if (finished[request]) {
        if (threadIdx.x == 0)
            token[request] = end_token[request];
        return;
    }
    for (int i = 0; i < count; ++i) {
        if (threadIdx.x == 0) {
            const float *mine = score + request * width;
            int best = i == 0 ? 0 : chosen;
            for (int k = 1; k < width; ++k)
                best = mine[k] > mine[best] ? k : best;
            chosen = best;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        token[request] = chosen;
        finished[request] = chosen == end_token[request];
    }
}

void run(bool *finished, int *token, const int *wanted, const float *score, const int *end_token,
         int requests, int width)
{
    pick_best<<<requests, 128>>>(finished, token, wanted, score, end_token, width);
}
