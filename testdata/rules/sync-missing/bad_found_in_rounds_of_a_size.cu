// In each round of a loop over a size some threads, as their data say, store to the word of the
// round, which all of them read.
__global__ void weigh(const float *__restrict__ distance, const float *__restrict__ colour,
                      float *__restrict__ out, int n)
{
    __shared__ float batch[256];
    batch[threadIdx.x] = colour[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        if (distance[i * 256 + threadIdx.x] > 0.1f)
            batch[i] = distance[i * 256 + threadIdx.x];
        sum += batch[i]; // expect: sync-missing
    }
    out[threadIdx.x] = sum;
}

void run(const float *distance, const float *colour, float *out, int n)
{
    weigh<<<1, 256>>>(distance, colour, out, n);
}
