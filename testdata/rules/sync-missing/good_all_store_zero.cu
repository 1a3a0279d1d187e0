// All threads set the same word to zero. What a thread then reads is zero, by its own store if by
// no other's.
template <typename Number>
__global__ void centre(const Number *__restrict__ in, Number *__restrict__ out, int width,
                       bool plain)
{
    __shared__ float mean;
    __shared__ float part[4];
    mean = 0;
    if (!plain) {
        float sum = 0;
        for (int at = threadIdx.x; at < width; at += 128)
            sum += in[blockIdx.x * width + at];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 == 0)
            part[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0)
            mean = (part[0] + part[1] + part[2] + part[3]) / width;
        __syncthreads();
    }
    const float middle = mean;
    for (int at = threadIdx.x; at < width; at += 128)
        out[blockIdx.x * width + at] = in[blockIdx.x * width + at] - middle;
}

void run(const float *in, float *out, int rows, int width, bool plain)
{
    centre<<<rows, 128>>>(in, out, width, plain);
}
