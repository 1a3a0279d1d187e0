// Kernels instrumented by hand, right and wrong. Each is run by its name; what is reported goes
// where BARLINT_RT_JSON says.
#include <cstdio>
#include <cstring>

#include <barlint/runtime_check.cuh>

#define HERE BARLINT_RT_HERE

__device__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void bar_init(uint64_t *bar, uint32_t count, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_INIT, shared_address(bar), BARLINT_RT_SHARED_CTA, count, 0, BARLINT_RT_WHO, site);
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}

__device__ void bar_arrive(uint64_t *bar, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_ARRIVE, shared_address(bar), BARLINT_RT_SHARED_CTA, 1,
                        BARLINT_RT_NO_TOKEN, BARLINT_RT_WHO, site);
    asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%0];}" ::"r"(shared_address(bar)) : "memory");
}

__device__ void bar_expect(uint64_t *bar, uint32_t bytes, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_ARRIVE, shared_address(bar), BARLINT_RT_SHARED_CTA,
                        1ull | (uint64_t)bytes << 32, BARLINT_RT_NO_TOKEN | BARLINT_RT_EXPECTS, BARLINT_RT_WHO, site);
    asm volatile("{.reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], %1;}" ::"r"(shared_address(bar)), "r"(bytes) : "memory");
}

__device__ void bulk_copy(void *to, const void *from, uint32_t bytes, uint64_t *bar, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_COPY, shared_address(bar), BARLINT_RT_SHARED_CTA, bytes, 0, BARLINT_RT_WHO, site);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(bar)) : "memory");
}

__device__ void bar_wait(uint64_t *bar, uint32_t parity, uint64_t site)
{
    uint32_t passed;
    do {
        uint32_t p = barlint_rt_wait(BARLINT_RT_TRY_PARITY, shared_address(bar), BARLINT_RT_SHARED_CTA, parity, site);
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(passed) : "r"(shared_address(bar)), "r"(p) : "memory");
        barlint_rt_waited(BARLINT_RT_TRY_PARITY, shared_address(bar), BARLINT_RT_SHARED_CTA, parity, passed, BARLINT_RT_WHO, site);
    } while (!passed);
}

__device__ void sync_all(uint64_t site)
{
    barlint_rt_named(BARLINT_NAMED_SYNC, 0, 0, BARLINT_RT_ALIGNED, BARLINT_RT_WHO, site);
    asm volatile("bar.sync 0;" ::: "memory");
    barlint_rt_synced(BARLINT_RT_WHO);
}

__device__ void sync_some(uint32_t id, uint32_t count, uint64_t site)
{
    barlint_rt_named(BARLINT_NAMED_SYNC, id, count, BARLINT_RT_ALIGNED, BARLINT_RT_WHO, site);
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
    barlint_rt_synced(BARLINT_RT_WHO);
}

// A ring of four stages: warp 0 copies, the others add.
__global__ void ring(const float *in, float *out, int tiles, int few)
{
    __shared__ alignas(128) float tile[4][256];
    __shared__ uint64_t full[4], empty[4];
    barlint_rt_enter(HERE);
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; i++) {
            bar_init(&full[i], 1, HERE);
            bar_init(&empty[i], blockDim.x - 32 - few, HERE);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    sync_all(HERE);
    float sum = 0;
    for (int i = 0; i < tiles; i++) {
        int stage = i % 4, parity = i / 4 & 1;
        if (threadIdx.x < 32) {
            bar_wait(&empty[stage], parity ^ 1, HERE);
            if (threadIdx.x == 0) {
                bar_expect(&full[stage], 1024, HERE);
                bulk_copy(tile[stage], in + (blockIdx.x * tiles + i) * 256, 1024, &full[stage], HERE);
            }
            __syncwarp();
        } else {
            bar_wait(&full[stage], parity, HERE);
            sum += tile[stage][threadIdx.x % 256];
            bar_arrive(&empty[stage], HERE);
        }
    }
    sync_all(HERE);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    barlint_rt_exit(BARLINT_RT_WHO, HERE);
}

enum { MISSING_INIT, COUNT_HIGH, EARLY_EXIT, WRONG_PARITY, SYNC_HALF, NAMED_HALF, BYTES_MANY, OVER, NO_SYNC, SLOW };

__global__ void wrong(int what, const float *in, float *out)
{
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t bar;
    barlint_rt_enter(HERE);
    int n = blockDim.x;
    if (threadIdx.x == 0 && what != MISSING_INIT) {
        bar_init(&bar, what == COUNT_HIGH ? n + 1 : what == BYTES_MANY ? 1 : what == OVER ? n / 2 : n, HERE);
    }
    if (what != NO_SYNC) {
        sync_all(HERE);
    }
    if (what == EARLY_EXIT && threadIdx.x >= 96) {
        barlint_rt_exit(BARLINT_RT_WHO, HERE);
        return;
    }
    if (what == SYNC_HALF) {
        if (threadIdx.x < 16) {
            sync_all(HERE);
        } else if (threadIdx.x < 32) {
            bar_wait(&bar, 0, HERE);
        }
    } else if (what == NAMED_HALF) {
        if (threadIdx.x < 64) {
            sync_some(1, 128, HERE);
        }
    } else if (what == BYTES_MANY) {
        if (threadIdx.x == 0) {
            bar_expect(&bar, 2048, HERE);
            bulk_copy(tile, in, 1024, &bar, HERE);
        }
        bar_wait(&bar, 0, HERE);
    } else {
        if (what == SLOW && threadIdx.x == 5) {
            for (int i = 0; i < 3000; i++) {
                __nanosleep(1000000);
            }
        }
        bar_arrive(&bar, HERE);
        bar_wait(&bar, what == WRONG_PARITY ? 1 : 0, HERE);
        if (what == WRONG_PARITY) {
            bar_wait(&bar, 1, HERE);
        }
    }
    out[threadIdx.x] = tile[threadIdx.x % 256];
    barlint_rt_exit(BARLINT_RT_WHO, HERE);
}

// 2,000 rounds of arrive, wait and __syncthreads.
template <bool Checked> __global__ void rounds(float *out)
{
    __shared__ uint64_t bar;
    if (Checked) {
        barlint_rt_enter(HERE);
    }
    uint32_t a = shared_address(&bar), n = blockDim.x;
    if (threadIdx.x == 0) {
        if (Checked) {
            bar_init(&bar, n, HERE);
        } else {
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(a), "r"(n) : "memory");
        }
    }
    if (Checked) {
        sync_all(HERE);
    } else {
        __syncthreads();
    }
    for (int i = 0; i < 2000; i++) {
        if (Checked) {
            bar_arrive(&bar, HERE);
            bar_wait(&bar, i & 1, HERE);
            sync_all(HERE);
        } else {
            uint32_t passed;
            asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%0];}" ::"r"(a) : "memory");
            do {
                asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                             : "=r"(passed) : "r"(a), "r"(i & 1) : "memory");
            } while (!passed);
            __syncthreads();
        }
    }
    out[threadIdx.x] = 1;
    if (Checked) {
        barlint_rt_exit(BARLINT_RT_WHO, HERE);
    }
}

static float timed(bool checked, float *out)
{
    cudaEvent_t a, b;
    float ms = 0;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    for (int k = 0; k < 2; k++) {
        cudaEventRecord(a);
        if (checked) {
            rounds<true><<<528, 256>>>(out);
        } else {
            rounds<false><<<528, 256>>>(out);
        }
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        cudaEventElapsedTime(&ms, a, b);
    }
    return ms;
}

int main(int argc, char **argv)
{
    float *in, *out;
    const char *name = argc > 1 ? argv[1] : "ring";
    cudaMalloc(&in, 1 << 24);
    cudaMalloc(&out, 1 << 24);
    cudaMemset(in, 0, 1 << 24);
    if (!strcmp(name, "rounds")) {
        cudaFree(0);
        float plain = timed(false, out), checked = timed(true, out);
        printf("plain %.3f ms, checked %.3f ms, %.1f times\n", plain, checked, checked / plain);
    } else if (!strncmp(name, "ring", 4)) {
        ring<<<264, 160>>>(in, out, 32, !strcmp(name, "ring-few") ? -1 : 0);
    } else {
        wrong<<<2, 128>>>(atoi(name), in, out);
    }
    printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
