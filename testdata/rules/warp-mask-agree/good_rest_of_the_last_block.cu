// The launch rounds up: all lanes vote, with nothing to say behind the end; those that have nothing
// to do have left; or the launch divides, and relies on it.
#include <cuda_runtime.h>

__global__ void compact(const int *in, unsigned *bits, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned set = __ballot_sync(0xffffffff, i < count && in[i] > 0);
    if (i < count && threadIdx.x % 32 == 0)
        bits[i / 32] = set;
}

__global__ void pairs(const float *in, float *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const float own = in[i];
    out[i] = own + __shfl_xor_sync(0xffffffff, own, 1);
}

__global__ void pairs_of_whole(const float *in, float *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        const float own = in[i];
        out[i] = own + __shfl_xor_sync(0xffffffff, own, 1);
    }
}

void launch(const int *in, unsigned *bits, const float *value, float *sum, int count)
{
    compact<<<(count + 127) / 128, 128>>>(in, bits, count);
    pairs<<<(count + 127) / 128, 128>>>(value, sum, count);
    pairs_of_whole<<<count / 128, 128>>>(value, sum, count);
}
