// Each step of a sum asks anew who is there: one finding for the sum, and one for the next branch.
#include <cuda_runtime.h>

__global__ void totals(const int *in, int *out, int *most, int count)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < count) {
        int sum = in[i];
        sum += __shfl_down_sync(__activemask(), sum, 16); // expect: warp-activemask
        sum += __shfl_down_sync(__activemask(), sum, 8);
        sum += __shfl_down_sync(__activemask(), sum, 4);
        sum += __shfl_down_sync(__activemask(), sum, 2);
        sum += __shfl_down_sync(__activemask(), sum, 1);
        out[i] = sum;
    }
    if (threadIdx.x % 32 < 20) {
        int high = threadIdx.x;
        high = max(high, __shfl_xor_sync(__activemask(), high, 1)); // expect: warp-activemask
        most[i] = high;
    }
}

void launch(const int *in, int *out, int *most, int count)
{
    totals<<<(count + 127) / 128, 128>>>(in, out, most, count);
}
