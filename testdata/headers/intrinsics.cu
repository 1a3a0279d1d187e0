// What nvcc gives to every source: built-in variables, block and warp barriers, votes, shuffles,
// fences, atomics, address spaces. No include.
__device__ int from_every_lane(unsigned mask, int value)
{
    int predicate;
    value += __shfl_sync(mask, value, 0) + __shfl_up_sync(mask, value, 1) +
             __shfl_down_sync(mask, value, 1, 16) + __shfl_xor_sync(mask, value, 1);
    value += __any_sync(mask, value) + __all_sync(mask, value) + __uni_sync(mask, value) +
             __ballot_sync(mask, value) + __activemask();
    value += __match_any_sync(mask, value) + __match_all_sync(mask, value, &predicate);
    value += __reduce_add_sync(mask, value) + __reduce_min_sync(mask, value) +
             __reduce_max_sync(mask, value) + __reduce_and_sync(mask, unsigned(value)) +
             __reduce_or_sync(mask, unsigned(value)) + __reduce_xor_sync(mask, unsigned(value));
    float f = __shfl_sync(mask, 1.0f, 0);
    double d = __shfl_xor_sync(mask, 1.0, 1);
    unsigned long long u = __shfl_down_sync(mask, 1ull, 1);
    return value + int(f) + int(d) + int(u);
}

__global__ void __launch_bounds__(128, 2) kernel(int *out, const float *in)
{
    __shared__ int tile[64];
    int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int block = blockIdx.x + gridDim.x * blockIdx.y;
    uint3 copy = threadIdx;
    dim3 shape = blockDim;
    __syncthreads();
    out[0] = __syncthreads_count(rank) + __syncthreads_and(rank) + __syncthreads_or(rank);
    __syncwarp();
    __syncwarp(0xffff);
    out[1] = from_every_lane(~0u, rank) + rank / warpSize + block + copy.x + shape.y;
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    atomicAdd(out, 1);
    atomicAdd(&tile[0], 1);
    atomicCAS(out, 0, 1);
    atomicExch(out, 2);
    atomicMax(out, 3);
    atomicAdd((float *)out, 1.0f);
    atomicAdd((unsigned long long *)out, 1ull);
    atomicAdd_block(out, 1);
    atomicAdd_system(out, 1);
    unsigned address = (unsigned)__cvta_generic_to_shared(tile);
    out[2] = address + __isShared(tile) + __isGlobal(out) + __ldg(out) + int(__ldg(in));
    out[3] = __popc(rank) + __clz(rank) + __ffs(rank) + __brev(rank) + min(rank, 3) + max(rank, 3);
    out[4] = int(sqrtf(in[0]) + rsqrtf(in[0]) + __expf(in[0]) + fmaxf(in[0], 1.0f));
    out[5] = int(clock64()) + clock();
    long long start = clock64();
    __nanosleep(100);
    if (start == 7) {
        __trap();
    }
    printf("%d\n", rank);
}
