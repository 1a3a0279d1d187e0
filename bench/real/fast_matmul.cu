// Kernel number KERNEL of github.com/pranjalssh/fast.cu, whose own program needs cuBLAS, against a
// plain one.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

typedef __nv_bfloat16 bf16;
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define cudaCheck(error) ((void)(error))

#define TEXT_OF(text) #text
#define FILE_OF(number) TEXT_OF(examples/matmul/matmul_##number.cuh)
#define FILE_OF_KERNEL(number) FILE_OF(number)
#define RUN_OF(number) runKernel##number
#define RUN_OF_KERNEL(number) RUN_OF(number)
#include FILE_OF_KERNEL(KERNEL)

// C, by columns, is A, by rows, times B, by columns.
__global__ void plain(int size, const bf16 *a, const bf16 *b, bf16 *c)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < size; k++) {
        sum += __bfloat162float(a[m * size + k]) * __bfloat162float(b[n * size + k]);
    }
    c[n * size + m] = __float2bfloat16(sum);
}

int main()
{
    const int size = 4096;
    std::vector<bf16> a(size * size), b(size * size), want(size * size), got(size * size);
    for (int i = 0; i < size * size; i++) {
        a[i] = __float2bfloat16((float)(i % 17 - 8) / 8);
        b[i] = __float2bfloat16((float)(i % 13 - 6) / 8);
    }
    bf16 *da, *db, *dc, *dwant;
    int *extra;
    size_t bytes = sizeof(bf16) * size * size;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMalloc(&dwant, bytes);
    cudaMalloc(&extra, 8192 * 128 * sizeof(int));
    cudaMemset(extra, ~0, 8192 * 128 * sizeof(int));
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
    plain<<<dim3(size / 256, size), 256>>>(size, da, db, dwant);
    cudaEvent_t begun, ended;
    float milliseconds = 0;
    cudaEventCreate(&begun);
    cudaEventCreate(&ended);
    for (int i = 0; i < 5; i++) {
        cudaEventRecord(begun);
        RUN_OF_KERNEL(KERNEL)(size, size, size, da, db, dc, extra);
        cudaEventRecord(ended);
        cudaEventSynchronize(ended);
        cudaEventElapsedTime(&milliseconds, begun, ended);
    }
    cudaMemcpy(want.data(), dwant, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(got.data(), dc, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < size * size; i++) {
        float difference = __bfloat162float(want[i]) - __bfloat162float(got[i]);
        wrong += !(difference < 0.5f && difference > -0.5f);
    }
    cudaError_t error = cudaGetLastError(); // of a launch, too: both results are empty then
    bool good = wrong == 0 && error == cudaSuccess;
    std::printf("%s: %d differ, %s, the last of five took %.3f ms\n", good ? "PASS" : "FAIL", wrong,
                cudaGetErrorName(error), milliseconds);
    return !good;
}
