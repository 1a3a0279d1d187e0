// Sizes are rounded to tiles in two ways, and what the two have in common is not followed: one run
// takes the number of tiles for 0 and the size for one of a tile at least.
__global__ void tiles(unsigned size, unsigned work, float *out)
{
    __shared__ float part[8];
    float sum = 0;
    if (size / 8 > 0) {
        part[threadIdx.x % 8] = sum;
        __syncthreads();
        sum += part[0];
    }
    if (size >= 8)
        __syncthreads();
    if (work / (size / 8) > 3)
        __syncthreads();
    out[threadIdx.x] = sum;
}

void launch(unsigned size, unsigned work, float *out)
{
    tiles<<<1, 128>>>(size, work, out);
}
