// Each warp reads its own word, and the barrier wants two warps.
__global__ void chosen(const int *take, const float *in, float *out)
{
    __shared__ float s[4][64];
    const int pair = threadIdx.x / 64, at = threadIdx.x % 64;
    if (take[threadIdx.x / 32]) {
        s[pair][at] = in[threadIdx.x];
        asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory"); // expect: named-participants
        out[threadIdx.x] = s[pair][63 - at];
    }
    __syncthreads();
}

void launch(const int *take, const float *in, float *out)
{
    chosen<<<1, 256>>>(take, in, out);
}
