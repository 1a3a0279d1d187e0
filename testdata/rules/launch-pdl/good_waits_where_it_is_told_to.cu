// The kernel waits for the one before it where an argument says that it may start early, as it does
// here.
#include <cuda/ptx>
#include <cstdint>
using namespace cuda::ptx;
__global__ void before(float *x) { x[blockIdx.x * 128 + threadIdx.x] = 1; cudaTriggerProgrammaticLaunchCompletion(); }
__device__ void copy(float *buf, const float *x, uint64_t *full) {
    mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, full, 512);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" :: "r"((unsigned)__cvta_generic_to_shared(buf)), "l"(x), "r"((unsigned)__cvta_generic_to_shared(full)) : "memory");
}
__global__ void after(float *x, float *out, bool pdl) {
    __shared__ alignas(128) float buf[128];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) mbarrier_init(&full, 1);
    __syncthreads();
    if (pdl) cudaGridDependencySynchronize();
    if (t == 0) copy(buf, x + blockIdx.x * 128, &full);
    while (!mbarrier_try_wait_parity(&full, 0)) {}
    out[blockIdx.x * 128 + t] = buf[t];
}
template <class... A, class... B> void go(void (*k)(A...), B... b) {
    cudaLaunchConfig_t c = {}; c.gridDim = 4; c.blockDim = 128;
    cudaLaunchAttribute a; a.id = cudaLaunchAttributeProgrammaticStreamSerialization; a.val.programmaticStreamSerializationAllowed = 1;
    c.attrs = &a; c.numAttrs = 1;
    cudaLaunchKernelEx(&c, k, b...);
}

void run(float *data, float *out)
{
    before<<<4, 128>>>(data);
    go(after, data, out, true);
}
