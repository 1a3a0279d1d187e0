// Launches with attributes, and the driver's launches and tensor maps.
// since: 12.0
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void kernel(int *p, int n)
{
    p[0] = n;
}

void launch(int *p, CUfunction function)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = 128;
    config.dynamicSmemBytes = 1024;
    cudaLaunchAttribute attribute[2];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    attribute[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[1].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attribute;
    config.numAttrs = 2;
    cudaLaunchKernelEx(&config, kernel, p, 3);
    int n = 3;
    void *arguments[] = {&p, &n};
    cudaLaunchKernelExC(&config, (const void *)kernel, arguments);
    cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr);
    cuLaunchCooperativeKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments);
    CUtensorMap map;
    cuuint64_t dimensions[2] = {64, 64}, strides[1] = {256};
    cuuint32_t box[2] = {32, 32}, step[2] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, dimensions, strides, box,
                           step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}
