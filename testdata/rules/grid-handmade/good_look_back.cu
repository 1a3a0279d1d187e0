// Each block waits for the one before it only, which started earlier as it drew its number first.
__device__ unsigned ticket;

__global__ void prefix(const int *__restrict__ in, volatile int *sums, int *__restrict__ out)
{
    __shared__ unsigned mine;
    __shared__ int before;
    if (threadIdx.x == 0) {
        mine = atomicAdd(&ticket, 1);
        int sum = 0;
        if (mine > 0) {
            do {
                sum = sums[mine - 1];
            } while (sum == 0);
        }
        before = sum;
        __threadfence();
        sums[mine] = sum + in[mine];
    }
    __syncthreads();
    out[mine * blockDim.x + threadIdx.x] = before;
}

void run(const int *in, int *sums, int *out)
{
    prefix<<<4096, 128>>>(in, sums, out);
}
