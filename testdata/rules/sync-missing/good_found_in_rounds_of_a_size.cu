// As in bad_found_in_rounds_of_a_size: each thread keeps what it finds. And a word of the block to
// which whoever finds something stores between two barriers, in rounds of a size.
__global__ void weigh(const float *__restrict__ distance, const float *__restrict__ colour,
                      float *__restrict__ out, int n)
{
    __shared__ float batch[256];
    __shared__ int found;
    batch[threadIdx.x] = colour[threadIdx.x];
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        if (threadIdx.x == 0)
            found = -1;
        __syncthreads();
        float own = batch[i];
        if (distance[i * 256 + threadIdx.x] > 0.1f)
            own = distance[i * 256 + threadIdx.x];
        if (distance[i * 256 + threadIdx.x] == 2.0f)
            found = threadIdx.x;
        __syncthreads();
        if (found >= 0)
            sum += own;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void run(const float *distance, const float *colour, float *out, int n)
{
    weigh<<<1, 256>>>(distance, colour, out, n);
}
