// The host counts one doubling too many: at the end each row has its partner a whole size further,
// where the other array begins, and what one thread writes there another one reads.
#include <cmath>

__global__ void halve(const float *in, float *out, int size, int rounds)
{
    extern __shared__ float row[];
    float *sum = row + size + 1;
    int me = threadIdx.x, apart = 1;
    row[me] = in[me];
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        float next = row[me];
        if (me >= apart)
            next += row[me - apart];
        __syncthreads();
        row[me] = next;
        apart *= 2;
        __syncthreads();
    }
    if (me < apart) {
        sum[me] = row[me] - row[me + apart]; // expect: sync-missing
        sum[me + apart] = row[me + apart] + sum[me]; // expect: sync-missing
    }
    __syncthreads();
    out[me] = sum[me];
}

void solve(const float *in, float *out, int size)
{
    int rounds = log2(size);
    dim3 grid(1), block(size);
    halve<<<grid, block, 2 * (size + 1) * sizeof(float)>>>(in, out, size, rounds);
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    solve(in, out, 128);
    return cudaDeviceSynchronize();
}
