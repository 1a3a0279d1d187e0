// All threads copy their rows to the other devices, and a lane for each of those raises its count
// there: that is behind what the lane itself has stored, not behind what other warps store. The
// count that each lane keeps for itself is nothing that it tells of.
#include <cuda_runtime.h>

struct Line {
    unsigned long long *sent;
    volatile unsigned long long *theirs, *mine;

    __device__ void ring()
    {
        *sent += 1;
        __threadfence_system();
        *theirs = *sent; // expect: sync-missing
    }
    __device__ void listen(unsigned long long round)
    {
        while (*mine < round) {
        }
    }
};

__global__ void exchange(const int4 *__restrict__ rows, int4 *const *inbox, const Line *lines,
                         int count, unsigned long long round)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        for (int device = 0; device < 7; ++device)
            inbox[device][blockIdx.x * count + i] = rows[blockIdx.x * count + i];
    if (threadIdx.x < 7) {
        Line line = lines[threadIdx.x];
        line.ring();
        line.listen(round);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        inbox[7][blockIdx.x] = inbox[0][blockIdx.x];
}

__global__ void exchange_fenced(const int4 *__restrict__ rows, int4 *inbox, volatile int *flags,
                                int count)
{
    inbox[blockIdx.x * 256 + threadIdx.x] = rows[threadIdx.x];
    if (threadIdx.x < 7) {
        __threadfence_system();
        flags[threadIdx.x] = count; // expect: sync-missing
        while (flags[8 + threadIdx.x] < count) {
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        inbox[blockIdx.x] = inbox[blockIdx.x + 4096];
}

void run(const int4 *rows, int4 *const *inboxes, int4 *inbox, const Line *lines, int *flags, int n)
{
    exchange<<<8, 512>>>(rows, inboxes, lines, n, 1);
    exchange_fenced<<<8, 256>>>(rows, inbox, flags, n);
}
