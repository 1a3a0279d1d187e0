// Which of two loops fills the line is decided by a word of memory, if it is filled here at all; in
// both, each thread has the elements that it reads afterwards.
#include <cuda_runtime.h>

enum { THREADS = 64, EACH = 8, LENGTH = THREADS * EACH };

__device__ void turn(float *line, const float *in, unsigned by)
{
    int at = threadIdx.x;
    if (by < LENGTH) {
        for (int i = 0; i < EACH; ++i) {
            line[at] = in[(at + by) % LENGTH];
            at += THREADS;
        }
    } else {
        for (int i = 0; i < EACH; ++i) {
            line[at] = -in[(at + by) % LENGTH];
            at += THREADS;
        }
    }
}

__device__ void scale(float *line)
{
    unsigned at = threadIdx.x;
    for (int i = 0; i < EACH; ++i) {
        line[at] *= 0.5f;
        at += THREADS;
    }
}

__global__ void rotate(float *out, const float *in, const unsigned *shift, int begin)
{
    __shared__ float line[LENGTH];
    if (begin == 0)
        turn(line, in, shift[blockIdx.x]);
    scale(line);
    __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = line[LENGTH - 1 - threadIdx.x];
}

void run(float *out, const float *in, const unsigned *shift, int begin)
{
    rotate<<<16, THREADS>>>(out, in, shift, begin);
}
