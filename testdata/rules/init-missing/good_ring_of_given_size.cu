#include <cuda/barrier>

// Nobody asks for a ring without stages.
__global__ void turns(const float *in, float *out, int stages, int rows)
{
    extern __shared__ __align__(16) char memory[];
    auto *done = reinterpret_cast<cuda::barrier<cuda::thread_scope_block> *>(memory);
    float *row = reinterpret_cast<float *>(done + stages);
    for (int s = threadIdx.x; s < stages; s += blockDim.x)
        init(done + s, blockDim.x);
    __syncthreads();
    for (int r = 0, s = 0; r < rows; ++r) {
        row[s * 64 + threadIdx.x] = in[r * 64 + threadIdx.x];
        done[s].arrive_and_wait();
        out[r * 64 + threadIdx.x] = row[s * 64 + 63 - threadIdx.x];
        s = s + 1 < stages ? s + 1 : 0;
    }
}

void run(const float *in, float *out, int rows)
{
    turns<<<1, 64, 2 * 8 + 2 * 64 * 4>>>(in, out, 2, rows);
}
