// Two programs define a kernel of one name: nobody can tell whose launch that of main.cu is.
__global__ void work(int *data)
{
    if (threadIdx.x < 128)
        __syncthreads(); // with main.cu's 256 threads it would be wrong for sure
    data[threadIdx.x] = 1;
}
