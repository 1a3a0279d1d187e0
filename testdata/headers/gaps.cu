// What nvcc accepts and clang, with the toolkit's headers alone, does not.
template <typename T> __device__ T hinted(T *p)
{
    __stcs(p, __ldcs(p));
    __stcg(p, __ldcg(p));
    __stwt(p, __ldca(p));
    return __ldlu(p) + __ldcv(p);
}

__global__ void kernel(int *out, const float *in, float4 *wide)
{
    unsigned u = 3;
    int i = 4;
    long l = 5;
    out[0] = min(i, u) + max(u, i) + min(u, u) + max(l, l);
    out[1] = int(fmin(1.0f, 2.0f)) + int(max(1.0f, 2.0f)) + int(max(1.0f, 2.0));
    out[2] = hinted(out);
    __stcs(wide, __ldcs(wide));
    __stcg(wide, make_float4(1, 2, 3, 4));
    float2 pair = __ffma2_rn(make_float2(1, 2), __fmul2_rn(make_float2(1, 2), make_float2(3, 4)),
                             __fadd2_rn(make_float2(0, 0), make_float2(1, 1)));
    out[3] = __nv_atomic_load_n(out, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(out, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
    out[4] = __nv_atomic_fetch_add(out, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
    new (out) int(3);
    out[5] = int(pair.x);
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[6] = lane;
    assert(out[6] < 32);
}

__global__ void relaunching(int *p)
{
    kernel<<<1, 32>>>(p, nullptr, nullptr);
}

void host(int *p, int n)
{
    int block = min(n, 256), grid = max(1, (n + block - 1) / block);
    kernel<<<grid, min(block, 128)>>>(p, nullptr, nullptr);
}
