// Every way to launch, and the runtime calls around it.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void kernel(int *p, int n)
{
    p[0] = n;
}
template <typename T, int n> __global__ void typed(T *p)
{
    p[0] = n;
}

int main()
{
    int *p = nullptr, device = 0, blocks = 0, size = 0, grid = 0;
    cudaDeviceProp prop;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    cudaMalloc(&p, 64 * sizeof(int));
    cudaMallocManaged(&p, 64);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice);
    cudaMemcpyAsync(p, p, 4, cudaMemcpyDefault, stream);
    cudaMemset(p, 0, 4);
    kernel<<<1, 32>>>(p, 1);
    kernel<<<dim3(2, 2), dim3(32, 4), 1024, stream>>>(p, 1);
    typed<float, 4><<<prop.multiProcessorCount, 64>>>((float *)p);
    void *arguments[] = {&p, &device};
    cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, stream);
    cudaLaunchKernel((const void *)kernel, 1, 32, arguments, 0, nullptr);
    cudaLaunchCooperativeKernel((void *)kernel, 4, 128, arguments, 0, stream);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &size, kernel, 0, 0);
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device);
    cudaEventRecord(event, stream);
    cudaEventSynchronize(event);
    cudaStreamSynchronize(stream);
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(stream, &graph);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
    }
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
