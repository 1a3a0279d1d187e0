// Mirrors channels in shared memory. The host asks for a multiple of half the block only: the last
// round of the last block is made by half of its threads.
#include <cuda_runtime.h>

template <int CHANNELS> __global__ void mirror(const float *in, float *out, int channels)
{
    __shared__ float tile[CHANNELS];
    for (int c = threadIdx.x + blockIdx.x * CHANNELS; c < channels; c += gridDim.x * CHANNELS) {
        tile[threadIdx.x] = in[c];
        __syncthreads(); // expect: sync-divergent-loop
        out[c] = tile[threadIdx.x ^ 1];
        __syncthreads();
    }
}

template <int CHANNELS> static bool launch(const float *in, float *out, int channels)
{
    if (channels % (CHANNELS / 2) != 0)
        return false;
    mirror<CHANNELS><<<4, CHANNELS>>>(in, out, channels);
    return true;
}

int main(int count, char **)
{
    int channels = 160 * count;
    float *in = nullptr, *out = nullptr;
    cudaMalloc(&in, sizeof(float) * channels);
    cudaMalloc(&out, sizeof(float) * channels);
    if (!launch<64>(in, out, channels))
        launch<16>(in, out, channels);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
