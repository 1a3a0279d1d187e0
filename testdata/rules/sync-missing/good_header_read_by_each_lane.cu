// The lanes of a warp bring a record to shared memory, and each of them then reads a header behind
// a pointer in it and stores what it says: every lane stores the same, the one that goes on with it
// among them.
struct entry {
    const char *data;
    int kind, flags;
};

struct header {
    float3 lowest;
    float spacing;
    const uint4 *cells;
    uint4 sizes;
    unsigned used;
};

__device__ void read_header(const entry &from, header &to)
{
    const char *at = from.data;
    uint4 counts = *(const uint4 *)at;
    at += sizeof(uint4);
    to.cells = (const uint4 *)at;
    at += sizeof(uint4) * counts.x;
    to.sizes = *(const uint4 *)at;
    at += sizeof(uint4);
    float4 corner = *(const float4 *)at;
    uint4 info = *(const uint4 *)(at + sizeof(float4));
    to.spacing = corner.w;
    to.used = info.x;
}

__global__ void distances(const entry *entries, const unsigned *order, float *out)
{
    __shared__ __align__(16) char entry_bytes[sizeof(entry)], header_bytes[sizeof(header)];
    __shared__ float margin, width;
    entry &shared_entry = reinterpret_cast<entry &>(*entry_bytes);
    header &shared_header = reinterpret_cast<header &>(*header_bytes);
    if (threadIdx.x < 32) {
        if (threadIdx.x < 4)
            ((int *)&shared_entry)[threadIdx.x] =
                ((const int *)(entries + order[blockIdx.x]))[threadIdx.x];
        __syncwarp();
        read_header(shared_entry, shared_header);
    }
    if (threadIdx.x == 0) {
        margin = shared_header.used == 0 ? 0.5f : 0;
        width = shared_header.spacing * shared_header.sizes.x;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = margin + width;
}

void measure(const entry *entries, const unsigned *order, float *out, int count)
{
    distances<<<count, 128>>>(entries, order, out);
}
