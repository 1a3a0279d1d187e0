// Tickets that threads keep and post: behind a barrier that all who have written come to; and where
// the thread posts a message of its own, while what the others have written is for the host, or is
// read behind a barrier of the grid.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__device__ void post(unsigned long long *posted, unsigned long long *sent)
{
    unsigned long long ticket = ++*sent;
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(posted), "l"(ticket) : "memory");
}

__device__ void await(const unsigned long long *posted, unsigned long long ticket)
{
    unsigned long long seen;
    do {
        asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(posted) : "memory");
    } while (seen < ticket);
}

__global__ void shift(const int *__restrict__ in, int *moved, int *out, unsigned long long *posted,
                      unsigned long long *sent)
{
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    moved[place] = in[place] * 3;
    __syncthreads();
    if (threadIdx.x == 0) {
        post(posted + blockIdx.x, sent + blockIdx.x);
        await(posted + (blockIdx.x + 1) % gridDim.x, 1);
    }
    __syncthreads();
    out[place] = moved[(place + blockDim.x) % (gridDim.x * blockDim.x)];
}

__global__ void report(const int *__restrict__ in, int *seen, int *message, int *answer,
                       unsigned long long *posted, unsigned long long *sent)
{
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    seen[place] = in[place];
    if (threadIdx.x == 0) {
        message[blockIdx.x] = in[place] + 1;
        post(posted + blockIdx.x, sent + blockIdx.x);
        await(posted + (blockIdx.x + 1) % gridDim.x, 1);
        answer[blockIdx.x] = message[(blockIdx.x + 1) % gridDim.x] + seen[place];
    }
}

__global__ void chain(const int *__restrict__ in, int *squares, int *first, unsigned *posted,
                      int *left, int *out)
{
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    const int own = in[place] | 1;
    squares[place] = own * own;
    if (threadIdx.x == 0) {
        first[blockIdx.x] = own; // what the next block reads, and knows to be there by its value
        __threadfence();
        atomicExch(&posted[blockIdx.x], unsigned(own));
        if (blockIdx.x > 0) {
            while (((volatile unsigned *)posted)[blockIdx.x - 1] == 0) {
            }
            __threadfence();
            left[blockIdx.x] = first[blockIdx.x - 1];
        }
    }
    cooperative_groups::this_grid().sync();
    out[place] = squares[(place + blockDim.x) % (gridDim.x * blockDim.x)];
}

void run(const int *in, int *moved, int *out, int *message, unsigned long long *posted,
         unsigned long long *sent)
{
    shift<<<8, 128>>>(in, moved, out, posted, sent);
    report<<<8, 128>>>(in, moved, message, out, posted + 8, sent + 8);
    int *squares = moved + 1024, *first = message + 8, *left = message + 16;
    unsigned *words = reinterpret_cast<unsigned *>(posted + 16);
    void *given[] = {&in, &squares, &first, &words, &left, &out};
    cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(chain), 8, 128, given, 0, nullptr);
}
