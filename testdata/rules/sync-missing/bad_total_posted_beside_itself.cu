// Each block puts its largest value beside all of its numbers and posts that value itself: that it
// is what the thread has written last does not make it a word of that thread's own, as all threads
// have written it for the next block to read, or have counted it up.
#include <cuda_runtime.h>

__global__ void spread(const int *__restrict__ in, int *largest, unsigned *posted, int *ratio)
{
    __shared__ int of_warp[8];
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    const int most = __reduce_max_sync(0xffffffffu, in[place]);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = most;
    __syncthreads();
    int all = of_warp[0];
    for (int w = 1; w < 8; ++w)
        all = max(all, of_warp[w]);
    const int scale = all;
    largest[place] = scale;
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&posted[blockIdx.x], unsigned(scale)); // expect: sync-missing
        if (blockIdx.x > 0)
            while (((volatile unsigned *)posted)[blockIdx.x - 1] == 0) {
            }
        __threadfence();
    }
    __syncthreads();
    ratio[place] = blockIdx.x > 0 ? scale / largest[place - blockDim.x] : 1;
}

__global__ void visits(int *visited, unsigned *posted, int *before)
{
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    const int times = ++visited[place];
    if (threadIdx.x == 0) {
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(posted + blockIdx.x), "r"(times) // expect: sync-missing
                     : "memory");
        if (blockIdx.x > 0) {
            unsigned seen;
            do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                             : "=r"(seen)
                             : "l"(posted + blockIdx.x - 1)
                             : "memory");
            } while (seen == 0);
        }
    }
    __syncthreads();
    before[place] = blockIdx.x > 0 ? visited[place - blockDim.x] : 0;
}

void run(const int *in, int *largest, int *visited, unsigned *posted, int *out)
{
    spread<<<64, 256>>>(in, largest, posted, out);
    visits<<<64, 256>>>(visited, posted + 64, out);
}
