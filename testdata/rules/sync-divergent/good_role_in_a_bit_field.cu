// Two numbers share a word: which of the warps this is, and how many there are.
struct place {
    unsigned int warp : 16;
    unsigned int warps : 16;
};

__device__ place find_place()
{
    place found;
    found.warps = blockDim.x / 32;
    found.warp = threadIdx.x / 32;
    return found;
}

__global__ void fold(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float half[128];
    const place here = find_place();
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (here.warp >= here.warps / 2)
        half[threadIdx.x - 128] = sum;
    __syncthreads();
    if (here.warp < here.warps / 2) {
        sum += half[threadIdx.x];
        out[blockIdx.x * 128 + threadIdx.x] = sum;
    }
}

void run(const float *in, float *out)
{
    fold<<<64, 256>>>(in, out);
}
