// The first team syncs at the barrier of the whole block. The last one's number is too high, and comes to
// another barrier than that.
__device__ void meet(int number)
{
    asm volatile("bar.sync %0, 96;" ::"r"(number) : "memory");
}

__global__ void blend(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[192];
    const int at = threadIdx.x;
    row[at] = in[at];
    if (at < 96)
        meet(0);
    else
        meet(19); // expect: named-id-range
    const float other = row[at / 96 * 96 + (at + 1) % 96];
    __syncthreads(); // expect: named-id-conflict
    row[at] = other;
    __syncthreads();
    out[at] = row[191 - at];
}

void run(const float *in, float *out)
{
    blend<<<1, 192>>>(in, out);
}
