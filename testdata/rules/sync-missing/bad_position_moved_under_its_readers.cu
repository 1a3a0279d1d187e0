#include <cuda_runtime.h>

struct Stream {
    int position, bits;
    const unsigned char *data;
};

// All lanes begin where the stream stands, and lane 0 says where it stands then.
__device__ int decode(Stream *stream, int *out, int end, int lane)
{
    int at = stream->position;
    while (at < end) {
        const int some = min(32, end - at);
        if (lane < some)
            out[at + lane] = stream->data[(at + lane) * stream->bits >> 3];
        at += some;
    }
    if (lane == 0)
        stream->position = at; // expect: sync-missing
    return at;
}

__global__ void __launch_bounds__(64) pages(const Stream *streams, int *out, int count)
{
    __shared__ Stream own[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, page = blockIdx.x * 2 + warp;
    if (lane == 0)
        own[warp] = streams[page];
    __syncwarp();
    for (int at = 0; at < count;) {
        at = decode(&own[warp], out + page * count, min(at + 128, count), lane);
        __syncwarp();
    }
}

void launch(const Stream *streams, int *out, int count, int blocks)
{
    pages<<<blocks, 64>>>(streams, out, count);
}
