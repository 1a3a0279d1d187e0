// A clerk copies orders, as whole records, into a ring of two; a fetcher, the workers and
// who keeps the books read each order for themselves. An order of kind 0 needs no goods, one of kind 2 needs two kinds of them.
#include <cuda/ptx>
#include <cstdint>

namespace ptx = cuda::ptx;

constexpr int shelves = 3;

struct order {
    int kind, from, also, to;
};

struct shop {
    order ring[2];
    float goods[shelves][128];
    uint64_t written[2], read[2], fetched[shelves], used[shelves], served, booked;
    float sum[128];
};

struct place {
    int shelf = 0;
    uint32_t turn = 0;
    __device__ void next()
    {
        shelf = shelf + 1 == shelves ? 0 : shelf + 1;
        turn ^= shelf == 0;
    }
};

__device__ void await(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__device__ void fetch(shop &s, place &at, const float *goods)
{
    await(&s.used[at.shelf], at.turn ^ 1);
    for (int x = threadIdx.x % 32; x < 128; x += 32)
        s.goods[at.shelf][x] = goods[x];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        ptx::mbarrier_arrive(&s.fetched[at.shelf]);
    at.next();
}

__device__ float take(shop &s, place &at)
{
    await(&s.fetched[at.shelf], at.turn);
    float one = s.goods[at.shelf][threadIdx.x];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        ptx::mbarrier_arrive(&s.used[at.shelf]);
    at.next();
    return one;
}

__global__ void serve(const order *__restrict__ orders, const float *__restrict__ store,
                      float *__restrict__ out, int count)
{
    __shared__ shop s;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i) {
            ptx::mbarrier_init(&s.written[i], 1);
            ptx::mbarrier_init(&s.read[i], 6);
        }
        for (int i = 0; i < shelves; ++i) {
            ptx::mbarrier_init(&s.fetched[i], 1);
            ptx::mbarrier_init(&s.used[i], 4);
        }
        ptx::mbarrier_init(&s.served, 4);
        ptx::mbarrier_init(&s.booked, 1);
    }
    __syncthreads();
    if (warp == 6) {
        for (int i = 0; i < count; ++i) {
            const int ring = i & 1;
            if (lane == 0) {
                await(&s.read[ring], ((i >> 1) & 1) ^ 1);
                s.ring[ring] = orders[blockIdx.x * count + i];
                ptx::mbarrier_arrive(&s.written[ring]);
            }
        }
        return;
    }
    place at;
    int sales = 0;
    for (int i = 0; i < count; ++i) {
        const int ring = i & 1;
        await(&s.written[ring], (i >> 1) & 1);
        const order mine = s.ring[ring];
        if (warp == 4) {
            if (mine.kind != 0)
                fetch(s, at, store + mine.from * 128);
            if (mine.kind == 2)
                fetch(s, at, store + mine.also * 128);
        } else if (warp == 5) {
            if (mine.kind != 0) {
                await(&s.served, sales++ & 1);
                for (int x = lane; x < 128; x += 32)
                    out[mine.to * 128 + x] = s.sum[x];
                __syncwarp();
                if (lane == 0)
                    ptx::mbarrier_arrive(&s.booked);
            }
        } else if (mine.kind != 0) {
            float sum = take(s, at);
            if (mine.kind == 2)
                sum += take(s, at);
            await(&s.booked, (sales++ & 1) ^ 1);
            s.sum[threadIdx.x] = sum;
            __syncwarp();
            if (lane == 0)
                ptx::mbarrier_arrive(&s.served);
        }
        __syncwarp();
        if (lane == 0)
            ptx::mbarrier_arrive(&s.read[ring]);
    }
}

void run(const order *orders, const float *store, float *out, int count)
{
    serve<<<64, 224>>>(orders, store, out, count);
}
