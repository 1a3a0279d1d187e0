// The reduction is as wide as the block that callers pass, which is one warp in one instance; what
// it leaves in shared memory is read by lanes that have met in it since.
#include <cub/cub.cuh>

template <int threads>
__global__ void centre(float *__restrict__ out, const float *__restrict__ in, int columns)
{
    using reduction = cub::BlockReduce<float, threads>;
    __shared__ typename reduction::TempStorage storage;
    __shared__ float of_all;
    const float *row = in + blockIdx.x * columns;
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += threads)
        sum += row[c];
    sum = reduction(storage).Sum(sum);
    if (threadIdx.x == 0)
        of_all = sum / columns;
    __syncthreads();
    const float mean = of_all;
    float squares = 0;
    for (int c = threadIdx.x; c < columns; c += threads)
        squares += (row[c] - mean) * (row[c] - mean);
    squares = reduction(storage).Sum(squares);
    if (threadIdx.x == 0)
        of_all = rsqrtf(squares / columns);
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += threads)
        out[blockIdx.x * columns + c] = (row[c] - mean) * of_all;
}

template <int threads>
void launch(dim3 blocks, dim3 block, float *out, const float *in, int columns)
{
    centre<threads><<<blocks, block>>>(out, in, columns);
}

template void launch<32>(dim3, dim3, float *, const float *, int);
template void launch<256>(dim3, dim3, float *, const float *, int);
