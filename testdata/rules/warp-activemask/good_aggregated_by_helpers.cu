// As in good_aggregated_atomic, with the atomic operation and the shuffle in functions of their own.
__device__ int lane_id()
{
    int id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

struct plus {
    __device__ int operator()(int *to, int count) const { return atomicAdd(to, count); }
};

template <class Op> __device__ int atomic_op(int *to, int count)
{
    return Op()(to, count);
}

__device__ int from_lane(int value, int lane, unsigned lanes = 0xffffffffu)
{
    return __shfl_sync(lanes, value, lane);
}

struct increment {
    __device__ int operator()(int *to) const
    {
        const int mask = __activemask();
        const int leader = __ffs(mask) - 1;
        int result;
        if (lane_id() == leader)
            result = atomic_op<plus>(to, __popc(mask));
        result = from_lane(result, leader, static_cast<unsigned>(mask));
        return result + __popc(mask & ((1 << lane_id()) - 1));
    }
};

__global__ void append(const int *__restrict__ in, int *__restrict__ out, int *used)
{
    const int value = in[threadIdx.x];
    if (value > 0)
        out[increment()(used)] = value;
}

void run(const int *in, int *out, int *used)
{
    append<<<4, 64>>>(in, out, used);
}
