// What lies between is an access to memory of all.
__global__ void shift(float *data)
{
    const float mine = data[threadIdx.x];
    __syncthreads();
    data[(threadIdx.x + 1) % 128] = mine;
    __syncthreads();
    data[threadIdx.x] += 1.0f;
}

void run(float *data)
{
    shift<<<1, 128>>>(data);
}
