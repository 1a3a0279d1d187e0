// The host lets by only as many workers as make whole teams of 64; a warp more loads for them. No
// block of a usual size is one of those.
__global__ void team_sums(const float *in, float *out, int workers)
{
    __shared__ float sum[16];
    if (threadIdx.x < 16)
        sum[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        return;
    const int t = threadIdx.x - 32, team = t / 64;
    atomicAdd(&sum[team], in[t]);
    asm volatile("barrier.cta.sync %0, 64;" ::"r"(team + 1) : "memory");
    if (t % 64 == 0)
        out[team] = sum[team];
}

bool launch(const float *in, float *out, int workers)
{
    if (workers < 64 || workers > 512 || workers % 64 != 0)
        return false;
    team_sums<<<1, workers + 32>>>(in, out, workers);
    return true;
}
