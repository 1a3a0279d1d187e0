// Each block adds one, but for the first, which subtracts the others: when the word is zero again,
// all have come.
#include <cuda_runtime.h>

class Meeting {
public:
    __device__ explicit Meeting(int *word) : word_(word)
    {
        const int others = gridDim.x - 1;
        step_ = blockIdx.x == 0 ? -others : 1;
    }
    __device__ void wait() const
    {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(word_, step_);
            volatile int *word = word_;
            int missing;
            do {
                missing = *word;
            } while (missing != 0); // expect: grid-handmade
            __threadfence();
        }
        __syncthreads();
    }

private:
    int *word_;
    int step_;
};

__global__ void relax(float *data, int *word)
{
    const Meeting meeting(word);
    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
    meeting.wait();
    data[blockIdx.x * blockDim.x + threadIdx.x] += data[threadIdx.x];
}

void run(float *data, int *word)
{
    relax<<<4096, 256>>>(data, word);
}
