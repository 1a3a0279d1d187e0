// The barriers are walked over by iterators of a class whose comparison is a template beside it; the
// first lane of each warp does it, where one thread alone may.
#include <cstdint>
#include <cuda/ptx>
#include <cuda_runtime.h>

template <class Word> struct walker {
    Word *at;
    __device__ Word &operator*() const { return *at; }
    __device__ walker &operator++()
    {
        ++at;
        return *this;
    }
};

template <class One, class Other> __device__ bool operator!=(const walker<One> &one, const walker<Other> &other)
{
    return one.at != other.at;
}

template <class Word> struct row_of {
    Word *first;
    int count;
    __device__ walker<Word> begin() const { return {first}; }
    __device__ walker<Word> end() const { return {first + count}; }
};

__global__ void __launch_bounds__(64) meet_in_turn(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t turn[2];
    __shared__ float line[64];
    if (threadIdx.x % 32 == 0)
        for (uint64_t &barrier : row_of<uint64_t>{turn, 2})
            cuda::ptx::mbarrier_init(&barrier, 64); // expect: init-by-many
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    for (int i = 0; i < 2; ++i) {
        const uint64_t token = cuda::ptx::mbarrier_arrive(&turn[i]);
        while (!cuda::ptx::mbarrier_try_wait(&turn[i], token)) {
        }
    }
    out[threadIdx.x] = line[threadIdx.x ^ 33];
}

void run(const float *in, float *out)
{
    meet_in_turn<<<1, 64>>>(in, out);
}
