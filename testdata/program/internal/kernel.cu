// A static kernel is launched by nobody else, whatever its name.
static __global__ void work(int *data)
{
    if (threadIdx.x < 48)
        __syncthreads();
    data[threadIdx.x] = 1;
}

void first(int *data)
{
    work<<<1, 32>>>(data);
}

namespace {
__global__ void other(int *data)
{
    if (threadIdx.x < 48)
        __syncthreads();
    data[threadIdx.x] = 1;
}
} // namespace

void second(int *data)
{
    other<<<1, 32>>>(data);
}
