// What a kernel needs to know comes in a record: the host fills it member by member, checks what it
// is given and rounds before it launches, so that no block ends where its rows do.
#include <cuda_runtime.h>
#include <stdexcept>

struct Extents {
    int rows, width;
};

struct Work {
    float *out;
    const float *in;
    Extents extents;
    int counts[3];
};

struct Padded : Work {
    int rest;
};

struct Rounds {
    float *data;
    int count;
    Rounds(float *data, int tiles) : data(data), count(tiles * 128) {}
};

__global__ void mirror(const __grid_constant__ Work work)
{
    __shared__ float held[128];
    int row = blockIdx.x * 128 + threadIdx.x;
    if (row < work.extents.rows) {
        held[threadIdx.x] = work.in[row];
        __syncthreads();
        work.out[row] = held[threadIdx.x ^ 64] * work.extents.width;
    }
}

__global__ void mirror_padded(Padded work)
{
    __shared__ float held[128];
    int row = blockIdx.x * 128 + threadIdx.x;
    if (row < work.counts[0]) {
        held[threadIdx.x] = work.in[row];
        __syncthreads();
        work.out[row] = held[threadIdx.x ^ 64] + work.rest;
    }
}

__global__ void fold(Rounds rounds)
{
    __shared__ float held[128];
    for (int at = threadIdx.x; at < rounds.count; at += 128) {
        held[threadIdx.x] = rounds.data[at];
        __syncthreads();
        rounds.data[at] = held[127 - threadIdx.x];
        __syncthreads();
    }
}

static Work describe(float *out, const float *in, int rows)
{
    Work work = {};
    work.out = out;
    work.in = in;
    work.extents.rows = rows;
    work.extents.width = 4;
    work.counts[0] = rows;
    return work;
}

void run(float *out, const float *in, int rows)
{
    if (rows % 128 != 0)
        throw std::runtime_error("rows come in blocks of 128");
    Work work = describe(out, in, rows);
    mirror<<<rows / 128, 128>>>(work);
    Padded padded{work, 0};
    void *arguments[] = {&padded};
    cudaLaunchKernel((const void *)mirror_padded, dim3(work.counts[0] / 128), dim3(128), arguments,
                     0, nullptr);
}

class Session {
  public:
    void step(float *data, int blocks)
    {
        work_.counts[0] = blocks * 128;
        mirror_padded<<<blocks, 128>>>(Padded{work_, 1});
        fold<<<1, 128>>>(Rounds(data, blocks));
    }

  private:
    Work work_;
};

void advance(Session &session, float *data, int blocks)
{
    session.step(data, blocks);
}
