__global__ void work(int *data);

void run(int *data)
{
    work<<<1, 256>>>(data);
}
