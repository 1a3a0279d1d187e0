// A fence and a word behind it tell others that the data are there: here it is counted up, so that
// the last one knows, or written where the kernel goes round until it is there.
#include <cuda_runtime.h>

__global__ void counted(const float *in, float *out)
{
    __shared__ float row[256];
    __shared__ int ready;
    const int t = threadIdx.x;
    if (t == 0)
        ready = 0;
    __syncthreads();
    row[t] = in[t];
    __threadfence_block();
    if (atomicAdd(&ready, 1) == 255) { // the last to come: all the others have stored
        float sum = 0;
        for (int i = 0; i < 256; ++i)
            sum += row[i];
        out[0] = sum;
    }
}

__global__ void written(const float *in, float *out)
{
    __shared__ float first;
    __shared__ volatile int ready;
    const int t = threadIdx.x;
    if (t == 0)
        ready = 0;
    __syncthreads();
    if (t == 0) {
        first = in[0];
        __threadfence_block();
        ready = 1;
    }
    while (!ready)
        ;
    __threadfence_block();
    out[t] = in[t] / first;
}

__global__ void behind_a_barrier(const float *in, float *out)
{
    __shared__ float row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    __threadfence_block();
    __syncthreads();
    out[t] = row[255 - t];
}

void launch(const float *in, float *out)
{
    counted<<<1, 256>>>(in, out);
    written<<<1, 256>>>(in, out);
    behind_a_barrier<<<1, 256>>>(in, out);
}
