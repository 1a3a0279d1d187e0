// Managed memory holds a barrier at which the host waits for a kernel that it has just launched.
#include <cuda/barrier>
#include <cuda_runtime.h>
#include <utility>

using meeting_point = cuda::barrier<cuda::thread_scope_device>;

__global__ void scale(meeting_point *done, float *data, float factor)
{
    data[threadIdx.x] *= factor;
    auto token = done[1].arrive(); // expect: init-scope
    done[1].wait(std::move(token));
}

void run(float *data)
{
    meeting_point *done;
    if (cudaMallocManaged(&done, 2 * sizeof *done) != cudaSuccess)
        return;
    init(&done[1], 65);
    scale<<<1, 64>>>(done, data, 2.0f);
    if (cudaGetLastError() != cudaSuccess)
        return;
    done[1].arrive_and_wait();
    cudaFree(done);
}
