// A block of a power of two that is large enough for all requests: it begins at one thread only to
// be doubled, and is never less than a warp.
__global__ void count_pages(const int *pages, int requests, int *total)
{
    int sum = (int)threadIdx.x < requests ? pages[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, sum);
}

void launch(const int *pages, long requests, int *total)
{
    int threads = 128;
    if (requests > 128) {
        threads = 1;
        while (threads < (int)requests)
            threads <<= 1;
        if (threads > 1024)
            threads = 1024;
    }
    count_pages<<<1, threads>>>(pages, (int)requests, total);
}
