// Small inputs get a block of half a warp, whose shuffles still name all lanes.
__global__ void count_pages(const int *pages, int requests, int *total)
{
    int sum = (int)threadIdx.x < requests ? pages[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step); // expect: warp-mask-agree
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, sum);
}

void launch(const int *pages, int requests, int *total)
{
    int threads = requests > 8 ? 16 : 8;
    count_pages<<<1, threads>>>(pages, requests, total);
}
