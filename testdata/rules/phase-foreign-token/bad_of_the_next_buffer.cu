// The wait takes the token of the other buffer, which in the last round is none at all; all that
// gets out of step with it is told here.
#include <cuda/barrier>
#include <cuda/std/utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void swap_rows(const float *in, float *out, int rows)
{
    __shared__ barrier full[2];
    __shared__ float row[2][128];
    if (threadIdx.x < 2)
        init(&full[threadIdx.x], blockDim.x);
    __syncthreads();
    barrier::arrival_token token[2];
    auto bring = [&](int r) {
        row[r % 2][threadIdx.x] = in[r * 128 + threadIdx.x];
        token[r % 2] = full[r % 2].arrive();
    };
    bring(0);
    for (int r = 0; r < rows; ++r) {
        if (r + 1 < rows)
            bring(r + 1);
        full[r % 2].wait(cuda::std::move(token[(r + 1) % 2])); // expect: phase-foreign-token
        out[r * 128 + threadIdx.x] = row[r % 2][127 - threadIdx.x];
        __syncthreads();
    }
}

void launch(const float *in, float *out, int rows)
{
    swap_rows<<<1, 128>>>(in, out, rows);
}
