__global__ void work(int *data);
__global__ void other(int *data);

void run(int *data)
{
    work<<<1, 64>>>(data);
    other<<<1, 64>>>(data);
}
