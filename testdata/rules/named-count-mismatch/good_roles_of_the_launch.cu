__device__ void meet(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ void tell(int barrier, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// The host says how many warps load and how many work.
__global__ void turned(const float *__restrict__ in, float *__restrict__ out, int steps, int loaders,
                       int workers)
{
    extern __shared__ float tile[];
    const int threads = 32 * (loaders + workers), width = 32 * workers;
    const int warp = threadIdx.x / 32, worker = threadIdx.x - 32 * loaders;
    for (int s = 0; s < steps; ++s) {
        if (warp < loaders) {
            if (s > 0)
                meet(2, threads);
            for (int i = threadIdx.x; i < width; i += 32 * loaders)
                tile[i] = in[s * width + i];
            tell(1, threads);
        } else {
            meet(1, threads);
            out[s * width + worker] = tile[width - 1 - worker];
            if (s + 1 < steps)
                tell(2, threads);
        }
    }
}

void run(const float *in, float *out, int steps, int loaders, int workers)
{
    turned<<<1, (loaders + workers) * 32, workers * 128>>>(in, out, steps, loaders, workers);
}
