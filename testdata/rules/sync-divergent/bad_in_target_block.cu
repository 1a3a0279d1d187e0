// A barrier inside libcu++'s choice of an architecture. The block's code is like any other, also in
// a file with a cuda::barrier, whose header is read with these macros emptied. Where a macro's
// argument is expanded, all of it stands at the macro's name.
#include <cuda/barrier>
#include <nv/target>

__global__ void halve(float *data)
{
    __shared__ float tile[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    if (threadIdx.x == 0) {
        init(&filled, blockDim.x);
    }
    __syncthreads();
    tile[threadIdx.x] = data[threadIdx.x];
    filled.arrive_and_wait();
    NV_IF_TARGET(NV_PROVIDES_SM_70, ( // expect: sync-divergent
        if (threadIdx.x < 16) {
            __syncthreads();
        }
        data[threadIdx.x] = 0.5f * tile[63 - threadIdx.x];
    ))
}

void run(float *data)
{
    halve<<<1, 64>>>(data);
}
