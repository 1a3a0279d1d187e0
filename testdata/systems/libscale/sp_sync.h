// The interface of libSCALE's synchronisation functions, over the instructions that they stand for.
// The count is in warps.
#pragma once

namespace sp {

__device__ inline void syncthreads(int id, int warps)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}

__device__ inline void syncthreads(int id)
{
    asm volatile("bar.sync %0;" ::"r"(id) : "memory");
}

__device__ inline void syncthreads_arrive(int id, int warps)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}

__device__ inline int syncthreads_count(int id, int warps, bool holds)
{
    int count;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\t"
                 "bar.red.popc.u32 %0, %1, %2, p;\n\t}"
                 : "=r"(count)
                 : "r"(id), "r"(warps * 32), "r"((unsigned)holds)
                 : "memory");
    return count;
}

__device__ inline bool syncthreads_or(int id, bool holds)
{
    int any;
    asm volatile("{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %2, 0;\n\t"
                 "bar.red.or.pred q, %1, p;\n\tselp.s32 %0, 1, 0, q;\n\t}"
                 : "=r"(any)
                 : "r"(id), "r"((unsigned)holds)
                 : "memory");
    return any != 0;
}

} // namespace sp
