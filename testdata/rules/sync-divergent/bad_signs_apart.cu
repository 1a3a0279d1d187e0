// A formatter that does not know of CUDA has put blanks into the signs of the launches; nvcc reads
// them all the same.
template <int Width>
__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[Width];
    if (threadIdx.x < Width / 2) {
        line[threadIdx.x] = in[threadIdx.x];
        __syncthreads(); // expect: sync-divergent
    }
    out[threadIdx.x] = line[Width / 2 - 1 - threadIdx.x % (Width / 2)];
    __syncthreads();
}

void run(const float *in, float *out)
{
    mirror<128> << <dim3(4, (1 > 0)), 128 >> >(in, out);
    mirror<64><< < 1, 64 >> > (in, out);
}
