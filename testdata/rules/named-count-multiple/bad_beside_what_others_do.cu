// The first two warps meet by a count that is none; the other two swap what they have and do not meet.
__global__ void pairs(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int first[64], second[64];
    const int at = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        first[at] = in[at];
        asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x / 2 - 16) : "memory"); // expect: named-count-multiple
        out[at] = first[63 - at];
    } else {
        second[at] = in[64 + at];
        out[64 + at] = second[63 - at]; // expect: sync-missing
    }
}

void launch(const int *in, int *out)
{
    pairs<<<1, 128>>>(in, out);
}
