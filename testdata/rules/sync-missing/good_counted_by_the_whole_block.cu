// What all threads have been told says who stores and who reads: never both, or with a barrier in
// between.
#include <cuda_runtime.h>

__global__ void raise_by_votes(const float *in, float *out, int n, int wanted)
{
    __shared__ float threshold;
    const float mine = threadIdx.x < n ? in[blockIdx.x * n + threadIdx.x] : -1.f;
    if (threadIdx.x == 0)
        threshold = 0.f;
    __syncthreads();
    for (int round = 0; round < 16; ++round) {
        int above = __syncthreads_count(mine > threshold);
        if (threadIdx.x == 0 && above > wanted)
            threshold += exp2f(-round);
        __syncthreads();
    }
    out[blockIdx.x] = threshold;
}

// Which of two buffers is read a word in shared memory says, and another round changes it.
__global__ void two_buffers(const int *in, int *out, int rounds)
{
    __shared__ int even[256], odd[256], turn;
    if (threadIdx.x == 0)
        turn = 0;
    even[threadIdx.x] = odd[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        int now = turn, value;
        if (now == 0) {
            even[threadIdx.x] = in[i * 256 + threadIdx.x];
            value = odd[255 - threadIdx.x];
        } else {
            odd[threadIdx.x] = in[i * 256 + threadIdx.x];
            value = even[255 - threadIdx.x];
        }
        out[i * 256 + threadIdx.x] = value;
        __syncthreads();
        if (threadIdx.x == 0)
            turn = now ^ 1;
        __syncthreads();
    }
}

// Either all threads replace their words, or all read those of others.
__global__ void replace_or_reverse(const int *in, int *out)
{
    __shared__ int word[256], large;
    if (threadIdx.x == 0)
        large = 0;
    word[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (word[255 - threadIdx.x] > 1000)
        atomicAdd(&large, 1);
    __syncthreads();
    const int count = large;
    if (count > 128)
        word[threadIdx.x] = in[256 + threadIdx.x];
    if (count <= 128)
        out[threadIdx.x] = word[255 - threadIdx.x];
    if (2 * count > 256)
        out[threadIdx.x] = word[threadIdx.x];
}

// Where many have been found the block stores how many and is done: nobody reads that here.
__global__ void enough(const int *in, int *out)
{
    __shared__ int found, result;
    if (threadIdx.x == 0)
        found = result = 0;
    __syncthreads();
    atomicAdd(&found, in[threadIdx.x] > 0);
    __syncthreads();
    const int count = found;
    if (count > 5) {
        if (threadIdx.x == 0) {
            result = 1;
            out[0] = result;
        }
        return;
    }
    out[threadIdx.x] = result;
}

void run(const float *in, float *out, const int *list, int *found, int n, int wanted, int blocks)
{
    raise_by_votes<<<blocks, 256>>>(in, out, n, wanted);
    two_buffers<<<1, 256>>>(list, found, n);
    replace_or_reverse<<<1, 256>>>(list, found);
    enough<<<1, 256>>>(list, found);
}
