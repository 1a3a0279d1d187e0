// Teams of eight threads skip a list that is too short, of which they take so many entries at most:
// the limit changes nothing about how short a list may be.
#include <cuda_runtime.h>

constexpr unsigned most = 128;

__global__ void nearest(const unsigned *offset, const float *value, float *out, unsigned lists)
{
    __shared__ float least[16];
    const unsigned team = threadIdx.x / 8, lane = threadIdx.x % 8;
    for (unsigned list = team + blockIdx.x * 16; list < lists; list += gridDim.x * 16) {
        const unsigned begin = offset[list], count = min(offset[list + 1] - begin, most);
        if (count < 2)
            continue;
        if (lane == 0)
            least[team] = value[begin]; // expect: sync-missing
        __syncthreads(); // expect: sync-divergent
        for (unsigned i = lane; i < count; i += 8)
            if (value[begin + i] < least[team])
                out[begin + i] = least[team];
    }
}

void launch(const unsigned *offset, const float *value, float *out, unsigned lists)
{
    nearest<<<(lists + 31) / 32, 128>>>(offset, value, out, lists);
}
