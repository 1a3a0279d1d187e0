// The helper launches whatever kernel it is given, with the addresses of the arguments; the count
// is one that the caller's block does not have.
#include <cuda/barrier>

__global__ void fill(int *out, int count)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0)
        init(&ready, count);
    __syncthreads();
    ready.arrive_and_wait(); // expect: init-count-mismatch
    out[threadIdx.x] = count;
}

static cudaError_t launch(const void *kernel, int threads, void **arguments)
{
    return cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments, 0, cudaStreamPerThread);
}

int main()
{
    int *out;
    if (cudaMalloc(&out, 96 * sizeof *out) != cudaSuccess)
        return 1;
    int count = 128;
    void *arguments[] = {&out, &count};
    return launch((const void *)fill, 96, arguments) != cudaSuccess;
}
