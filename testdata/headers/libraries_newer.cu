// What host programs use of CUDA's libraries beside the commonest: sparse and dense solvers,
// allocators and iterators of Thrust, compilation at run time, NCCL, memory pools and graphs.
// since: 13.0
// needs: cub/cub.cuh thrust/device_malloc_allocator.h cusparse.h cusolverSp.h cufftXt.h nvrtc.h nccl.h cublas_v2.h curand.h
#include <cub/block/block_raking_layout.cuh>
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_reduce.cuh>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_runtime.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusolverSp.h>
#include <cusparse.h>
#include <nccl.h>
#include <nvrtc.h>
#include <nvtx3/nvToolsExt.h>
#include <thrust/count.h>
#include <thrust/detail/config.h>
#include <thrust/device_malloc_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>

struct halve {
    __host__ __device__ int operator()(int a) const { return a / 2; }
};

__global__ void draw(float *out)
{
    thrust::default_random_engine engine(threadIdx.x);
    thrust::uniform_real_distribution<float> distribution(0.0f, 1.0f);
    out[threadIdx.x] = distribution(engine);
    __half2_raw raw = __floats2half2_rn(1.0f, 2.0f);
    __half2 pair = raw;
    out[0] += __low2float(pair);
    __nv_fp4x2_storage_t packed = __nv_cvt_float2_to_fp4x2({1.0f, 2.0f}, __NV_E2M1, cudaRoundNearest);
    out[1] = packed;
    NV_IF_TARGET(NV_IS_DEVICE, (out[3] = 1.0f;))
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_70, out[4] = 1.0f;, (out[4] = 2.0f;))
    bool first;
    out[2] = __vibmax_s32(1, 2, &first) + first;
}

__global__ void rake(float *out)
{
    using Layout = cub::BlockRakingLayout<float, 128>;
    __shared__ typename Layout::TempStorage storage;
    *Layout::PlacementPtr(storage, threadIdx.x) = out[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < Layout::RAKING_THREADS)
        out[threadIdx.x] = Layout::RakingPtr(storage, threadIdx.x)[Layout::SEGMENT_LENGTH - 1];
}

template <typename T> class pool : public thrust::device_malloc_allocator<T>
{
};

int numbers()
{
    thrust::device_vector<int, pool<int>> some;
    thrust::device_vector<int> v(10);
    using namespace thrust::placeholders;
    thrust::transform(v.begin(), v.end(), v.begin(), _1 * 2 + 1);
    thrust::transform_iterator<halve, thrust::device_vector<int>::iterator> it(v.begin(), halve());
    int n = thrust::reduce(it, it + 10) + it[2] - 1;
    if (thrust::find(v.begin(), v.end(), 3) - v.begin() < 4)
        n += thrust::count(v.begin(), v.end(), 3);
    thrust::sort(thrust::device, v.begin(), v.end(), thrust::greater<int>());
    n = n < thrust::count(v.begin(), v.end(), 4) ? 2 * thrust::reduce(it, it + 2) : n;
    thrust::iterator_traits<int *>::value_type size = n;
    void *storage = nullptr;
    size_t bytes = 0;
    cub::DeviceAdjacentDifference::SubtractLeft(storage, bytes, v.begin(), size);
    cub::DeviceReduce::Sum<const int *, int *>(storage, bytes, nullptr, nullptr, size);
    draw<<<n, 32>>>((float *)thrust::raw_pointer_cast(v.data()));
    return n;
}

const char *text(cudaError_t error)
{
    switch (error) {
    case cudaErrorStartupFailure:
    case cudaErrorDevicesUnavailable:
    case cudaErrorGraphExecUpdateFailure:
        return cudaGetErrorName(error);
    default:
        return cudaGetErrorString(error);
    }
}

bool solvers(const float *values, float *out, const int *rows, const int *columns, int n)
{
    cusparseHandle_t sparse;
    cusparseSpVecDescr_t vector;
    cusparseSpGEMMDescr_t product;
    if (cusparseCreate(&sparse) == CUSPARSE_STATUS_NOT_INITIALIZED)
        return false;
    cusparseCreateSpVec(&vector, n, n, (void *)columns, out, CUSPARSE_INDEX_32I,
                        CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseSpGEMM_createDescr(&product);
    cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_HOST);
    cusolverSpHandle_t solver;
    cusolverDnHandle_t dense;
    if (cusolverSpCreate(&solver) != CUSOLVER_STATUS_SUCCESS ||
        cusolverDnCreate(&dense) == CUSOLVER_STATUS_ALLOC_FAILED)
        return false;
    float work[4];
    int info;
    cusolverDnSorgqr(dense, n, n, n, out, n, values, work, 4, &info);
    cublasHandle_t blas;
    cublasCreate(&blas);
    cudaStream_t stream;
    cublasGetStream(blas, &stream);
    float *const lists[1] = {out};
    cublasSgetrfBatched(blas, n, lists, n, &info, &info, 1);
    cublasComputeType_t type = CUBLAS_COMPUTE_32F_FAST_16F;
    cufftCallbackLoadR load = nullptr;
    cufftHandle plan;
    size_t size;
    if (cufftMakePlan2d(plan, n, n, CUFFT_C2C, &size) == CUFFT_ALLOC_FAILED || load)
        return false;
    return type != CUBLAS_COMPUTE_32F && rows;
}

bool others(const char *source)
{
    nvrtcProgram program;
    if (nvrtcCreateProgram(&program, source, "one.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS)
        return false;
    ncclComm_t comm;
    ncclUniqueId id;
    ncclGetUniqueId(&id);
    ncclCommInitRank(&comm, 2, id, 0);
    ncclAllReduce(nullptr, nullptr, 10, ncclFloat, ncclSum, comm, 0);
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.message.ascii = source;
    nvtxRangePushEx(&attributes);
    nvtxRangePop();
    cudaMemPool_t memory;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    cudaMemPoolCreate(&memory, &props);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphExecUpdateResultInfo result;
    cudaGraphExecUpdate(exec, graph, &result);
    CUdeviceptr base;
    size_t size;
    cuMemGetAddressRange(&base, &size, 0);
    unsigned int kind = 0;
    cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, base);
    libraryPropertyType property = MAJOR_VERSION;
    return kind == CU_MEMORYTYPE_DEVICE && property == 0;
}
