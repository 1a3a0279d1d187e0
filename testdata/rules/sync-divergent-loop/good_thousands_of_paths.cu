// As many thousands as the command line says: each round of a block is whole.
#include <cuda_runtime.h>

#include <stdlib.h>
#include <string.h>

__global__ void turn(double *out, const double *in, int paths)
{
    __shared__ double held[256];
    for (int path = threadIdx.x; path < paths; path += 256) {
        held[threadIdx.x] = in[path];
        __syncthreads();
        out[path] = held[255 - threadIdx.x];
        __syncthreads();
    }
}

static void run(double *out, const double *in, int paths, int steps)
{
    turn<<<steps - 1, 256>>>(out, in, paths);
}

int main(int count, char **argument)
{
    int thousands = 32, steps = 10;
    for (int i = 1; i + 1 < count; ++i) {
        if (strcmp(argument[i], "-p") == 0)
            thousands = strtol(argument[++i], NULL, 10);
        else if (strcmp(argument[i], "-s") == 0)
            steps = strtol(argument[++i], NULL, 10);
    }
    const int paths = thousands * 1024;
    double *out, *in;
    cudaMalloc(&out, paths * sizeof *out);
    cudaMalloc(&in, paths * sizeof *in);
    run(out, in, paths, steps);
}
