// Mirrors rows of channels in shared memory. The host takes the first block size that the number of
// channels is a multiple of: all threads of a block make the same number of rounds.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

template <int CHANNELS, int ROWS>
__global__ void mirror(const float *in, float *out, int channels, int rows)
{
    __shared__ float tile[ROWS][CHANNELS];
    for (int c = threadIdx.x + blockIdx.x * CHANNELS; c < channels; c += gridDim.x * CHANNELS) {
        for (int row = 0; row < rows; row += ROWS) {
            if (row + threadIdx.y < rows)
                tile[threadIdx.y][threadIdx.x] = in[(row + threadIdx.y) * channels + c];
            __syncthreads();
            if (row + threadIdx.y < rows)
                out[(row + threadIdx.y) * channels + c] = tile[threadIdx.y][CHANNELS - 1 - threadIdx.x];
            __syncthreads();
        }
    }
}

template <int CHANNELS, int ROWS>
static bool launch(const float *in, float *out, int channels, int rows)
{
    if (channels % CHANNELS != 0)
        return false;
    mirror<CHANNELS, ROWS><<<std::min(16, channels / CHANNELS), dim3(CHANNELS, ROWS)>>>(
        in, out, channels, rows);
    return true;
}

static void mirror_rows(const float *in, float *out, int channels, int rows)
{
    if (launch<64, 8>(in, out, channels, rows) || launch<24, 16>(in, out, channels, rows) ||
        launch<12, 32>(in, out, channels, rows) || launch<4, 64>(in, out, channels, rows))
        return;
    fprintf(stderr, "%d channels are not a multiple of 4\n", channels);
}

int main(int count, char **)
{
    int channels = 48 * count, rows = 100;
    float *in = nullptr, *out = nullptr;
    cudaMalloc(&in, sizeof(float) * channels * rows);
    cudaMalloc(&out, sizeof(float) * channels * rows);
    mirror_rows(in, out, channels, rows);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
