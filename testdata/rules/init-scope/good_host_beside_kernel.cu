// The barrier at which the host meets the kernel has the scope of the system. Another one, of the
// device, is the host's only before the launch and after the wait for its stream.
#include <cuda/barrier>
#include <cuda/std/barrier>
#include <cuda_runtime.h>
#include <new>
#include <utility>

using meeting_point = cuda::std::barrier<>;
using device_point = cuda::barrier<cuda::thread_scope_device>;

__global__ void scale(meeting_point *done, device_point *half, float *data, float factor)
{
    data[threadIdx.x] *= factor;
    half->arrive_and_wait();
    data[63 - threadIdx.x] += 1.0f;
    auto token = done[1].arrive();
    done[1].wait(std::move(token));
}

void run(float *data, cudaStream_t stream)
{
    meeting_point *done;
    device_point *half;
    if (cudaMallocManaged(&done, 2 * sizeof *done) != cudaSuccess ||
        cudaMallocManaged(&half, sizeof *half) != cudaSuccess)
        return;
    for (int round = 0; round < 2; ++round) {
        new (&done[1]) meeting_point(65);
        init(half, 64);
        scale<<<1, 64, 0, stream>>>(done, half, data, 2.0f);
        if (cudaGetLastError() != cudaSuccess)
            return;
        done[1].arrive_and_wait();
        cudaStreamSynchronize(stream);
    }
    cudaFree(done);
    cudaFree(half);
}
