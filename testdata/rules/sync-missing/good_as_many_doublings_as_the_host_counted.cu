// Each round solves for twice as many neighbours, and there are as many rounds as the host finds in
// half of the size: so at the end a row lies in the lower half or in the upper one, and each
// thread of the lower half alone reads and writes a row of both.
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
        sum[me] = row[me] - row[me + apart];
        sum[me + apart] = row[me + apart] + sum[me];
    }
    __syncthreads();
    out[me] = sum[me];
}

void solve(const float *in, float *out, int size)
{
    int rounds = log2(size / 2);
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
