__global__ void work(int *data)
{
    data[threadIdx.x] = 2;
}
