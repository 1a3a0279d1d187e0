// A launcher takes as an argument whether the kernel may start early, and all who call it say no.
// The host has more sizes to choose from than are tried one by one.
#include <cuda_runtime.h>

template <int SIZE>
__global__ void fill(int *data)
{
    data[blockIdx.x * SIZE + threadIdx.x] = SIZE;
}

template <int SIZE>
__global__ void scale(int *data, const int *by)
{
    data[blockIdx.x * SIZE + threadIdx.x] *= by[threadIdx.x];
}

template <int SIZE>
cudaError_t scale_all(dim3 grid, cudaStream_t stream, int *data, const int *by, bool early)
{
    if (!early) {
        scale<SIZE><<<grid, SIZE, 0, stream>>>(data, by);
        return cudaGetLastError();
    }
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[1];
    config.gridDim = grid;
    config.blockDim = dim3(SIZE);
    config.stream = stream;
    config.attrs = attribute;
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, scale<SIZE>, data, by);
}

template <int SIZE>
cudaError_t both(int blocks, cudaStream_t stream, int *data, const int *by)
{
    fill<SIZE><<<blocks, SIZE, 0, stream>>>(data);
    return scale_all<SIZE>(dim3(blocks), stream, data, by, false);
}

cudaError_t run(int size, int blocks, cudaStream_t stream, int *data, const int *by)
{
    if (size == 32)
        return both<32>(blocks, stream, data, by);
    if (size == 64)
        return both<64>(blocks, stream, data, by);
    if (size == 96)
        return both<96>(blocks, stream, data, by);
    if (size == 128)
        return both<128>(blocks, stream, data, by);
    if (size == 160)
        return both<160>(blocks, stream, data, by);
    if (size == 192)
        return both<192>(blocks, stream, data, by);
    if (size == 224)
        return both<224>(blocks, stream, data, by);
    if (size == 256)
        return both<256>(blocks, stream, data, by);
    if (size == 512)
        return both<512>(blocks, stream, data, by);
    if (size == 768)
        return both<768>(blocks, stream, data, by);
    return both<1024>(blocks, stream, data, by);
}
