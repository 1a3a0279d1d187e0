// Streams, guards, errors and the device code of ATen/cuda and c10/cuda.
#ifndef BARLINT_TORCH_DEVICE_H
#define BARLINT_TORCH_DEVICE_H

#include <cuda_runtime.h>
#ifdef BARLINT_BUILTIN_HEADERS
#include <cublas_v2.h>
#else
typedef struct cublasContext *cublasHandle_t; // the toolkit's header is slow to read
#endif

#include "barlint_tensor.h"

#define C10_CUDA_CHECK(call)                                                                       \
    do {                                                                                           \
        if ((call) != cudaSuccess)                                                                 \
            ::c10::detail::barlint_fail();                                                         \
    } while (0)
#define C10_CUDA_CHECK_WARN(call) ((void)(call))
#define C10_CUDA_IGNORE_ERROR(call) ((void)(call))
#define C10_CUDA_ERROR_HANDLED(call) (call)
#define C10_CUDA_CLEAR_ERROR() ((void)cudaGetLastError())
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#define STD_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#define STD_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define THCudaCheck(call) C10_CUDA_CHECK(call)
#define TORCH_CUDABLAS_CHECK(call) BARLINT_TORCH_CHECK((call) == 0)
#define TORCH_CUSPARSE_CHECK(call) BARLINT_TORCH_CHECK((call) == 0)
#define AT_CUDA_DRIVER_CHECK(call) BARLINT_TORCH_CHECK((call) == 0)
#define C10_CUDA_DRIVER_CHECK(call) BARLINT_TORCH_CHECK((call) == 0)

namespace c10 {
class Stream {
  public:
    DeviceIndex device_index() const;
    Device device() const;
};
using StreamId = int64_t;
extern cudaStream_t barlint_stream; // the current one of every device
namespace cuda {
class CUDAStream {
  public:
    explicit CUDAStream(Stream stream);
    explicit CUDAStream(cudaStream_t stream) : stream_(stream) {}
    operator cudaStream_t() const { return stream_; }
    operator Stream() const;
    cudaStream_t stream() const { return stream_; }
    Stream unwrap() const;
    StreamId id() const;
    DeviceIndex device_index() const;
    Device device() const;
    void synchronize() const;
    bool query() const;
    int priority() const;
    bool operator==(const CUDAStream &other) const;
    bool operator!=(const CUDAStream &other) const;

  private:
    cudaStream_t stream_;
};
inline CUDAStream getCurrentCUDAStream(DeviceIndex device = -1)
{
    return CUDAStream(barlint_stream);
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex device = -1) { return CUDAStream(nullptr); }
CUDAStream getStreamFromPool(bool high_priority = false, DeviceIndex device = -1);
CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex device);
void setCurrentCUDAStream(CUDAStream stream);
DeviceIndex current_device();
DeviceIndex device_count();
void set_device(DeviceIndex device);
DeviceIndex MaybeExchangeDevice(DeviceIndex device);
void MaybeSetDevice(DeviceIndex device);
void device_synchronize();
void stream_synchronize(cudaStream_t stream);

#define BARLINT_TORCH_GUARD(name)                                                                  \
    struct name {                                                                                  \
        name() = default;                                                                          \
        template <typename T> explicit name(const T &device);                                      \
        ~name();                                                                                   \
        template <typename T> void set_device(const T &device);                                    \
        template <typename T> void set_index(const T &device);                                     \
        template <typename T> void reset_stream(const T &stream);                                  \
        template <typename T> void reset_device(const T &device);                                  \
        Device original_device() const;                                                            \
        Device current_device() const;                                                             \
    };
BARLINT_TORCH_GUARD(CUDAGuard)
BARLINT_TORCH_GUARD(OptionalCUDAGuard)
BARLINT_TORCH_GUARD(CUDAStreamGuard)
BARLINT_TORCH_GUARD(OptionalCUDAStreamGuard)
BARLINT_TORCH_GUARD(CUDAMultiStreamGuard)
} // namespace cuda
BARLINT_TORCH_GUARD(DeviceGuard)
BARLINT_TORCH_GUARD(OptionalDeviceGuard)
BARLINT_TORCH_GUARD(StreamGuard)

struct DataPtr {
    void *get() const;
    void *mutable_get();
    explicit operator bool() const;
};
struct Allocator {
    DataPtr allocate(size_t bytes) const;
    void *raw_allocate(size_t bytes);
    void raw_deallocate(void *at);
};
namespace cuda {
namespace CUDACachingAllocator {
Allocator *get();
void *raw_alloc(size_t bytes);
void *raw_alloc_with_stream(size_t bytes, cudaStream_t stream);
void raw_delete(void *at);
void emptyCache();
template <typename... A> void recordStream(const A &...);
} // namespace CUDACachingAllocator
namespace compat {
#define BARLINT_TORCH_MATH(name)                                                                   \
    __host__ __device__ inline float name(float x) { return ::name##f(x); }                        \
    __host__ __device__ inline double name(double x) { return ::name(x); }
BARLINT_TORCH_MATH(exp)
BARLINT_TORCH_MATH(log)
BARLINT_TORCH_MATH(log1p)
BARLINT_TORCH_MATH(sqrt)
BARLINT_TORCH_MATH(rsqrt)
BARLINT_TORCH_MATH(sin)
BARLINT_TORCH_MATH(cos)
BARLINT_TORCH_MATH(tan)
BARLINT_TORCH_MATH(tanh)
BARLINT_TORCH_MATH(ceil)
BARLINT_TORCH_MATH(floor)
template <typename T> __host__ __device__ T abs(T x) { return x < T(0) ? -x : x; }
template <typename T> __host__ __device__ T max(T a, T b) { return a < b ? b : a; }
template <typename T> __host__ __device__ T min(T a, T b) { return b < a ? b : a; }
template <typename T> __host__ __device__ T pow(T a, T b);
template <typename T> __host__ __device__ T normcdf(T a);
} // namespace compat
} // namespace cuda
template <typename T> struct barlint_range {
    struct iterator {
        T at;
        T operator*() const { return at; }
        iterator &operator++()
        {
            ++at;
            return *this;
        }
        bool operator!=(const iterator &other) const { return at != other.at; }
    };
    T first, last;
    iterator begin() const { return iterator{first}; }
    iterator end() const { return iterator{last}; }
};
template <typename T> barlint_range<T> irange(T count) { return barlint_range<T>{T(0), count}; }
template <typename A, typename T> barlint_range<T> irange(A first, T last)
{
    return barlint_range<T>{T(first), last};
}
} // namespace c10

namespace at {
#if __cplusplus >= 201703L
inline std::optional<Device> device_of(const Tensor &tensor) { return tensor.device(); }
#else
inline Device device_of(const Tensor &tensor) { return tensor.device(); }
#endif
struct PhiloxCudaState {
    PhiloxCudaState() = default;
    PhiloxCudaState(uint64_t seed, uint64_t offset);
};
// Whatever is locked: <mutex> is slow to read.
struct barlint_mutex {
    template <typename T> operator T &() const;
};
struct Generator {
    bool defined() const;
    barlint_mutex mutex() const;
    uint64_t current_seed() const;
    void set_current_seed(uint64_t seed);
    void *unsafeGetGeneratorImpl() const;
};
struct CUDAGeneratorImpl {
    barlint_mutex mutex_;
    PhiloxCudaState philox_cuda_state(uint64_t increment);
    std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t increment);
    uint64_t current_seed() const;
};
template <typename T, typename... A> T *get_generator_or_default(const A &...);
template <typename T> T *check_generator(const Generator &generator);
namespace cuda {
using namespace c10::cuda;
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(int device);
inline int warp_size() { return 32; }
bool is_available();
int64_t getNumGPUs();
bool canDeviceAccessPeer(int device, int peer);
Allocator *getCUDADeviceAllocator();
cublasHandle_t getCurrentCUDABlasHandle();
template <typename T> __host__ __device__ T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
struct CUDAEvent {
    CUDAEvent() = default;
    CUDAEvent(unsigned flags);
    void record BARLINT_TORCH_ANY;
    void block BARLINT_TORCH_ANY;
    void synchronize() const;
    operator cudaEvent_t() const;
};
enum class CaptureStatus : int { None, Active, Invalidated };
CaptureStatus currentStreamCaptureStatus();
CaptureStatus currentStreamCaptureStatusMayInitCtx();
void assertNotCapturing(const std::string &what);
namespace philox {
__host__ __device__ std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState state);
}
namespace detail {
const Generator &getDefaultCUDAGenerator(DeviceIndex device = -1);
bool canUse32BitIndexMath(const Tensor &tensor, int64_t most = 0x7fffffff);
template <typename T, typename index_t> struct TensorInfo {
    T *data;
    index_t sizes[25], strides[25];
    int dims;
    __host__ __device__ bool isContiguous() const;
};
template <typename T, typename index_t> TensorInfo<T, index_t> getTensorInfo(const Tensor &tensor);
template <typename T, typename index_t, int dims> struct IndexToOffset {
    static __host__ __device__ index_t get(index_t at, const TensorInfo<T, index_t> &info);
};
constexpr int CUDA_NUM_THREADS = 1024;
inline int GET_BLOCKS(int64_t count, int64_t threads = CUDA_NUM_THREADS)
{
    return (int)((count - 1) / threads + 1);
}
} // namespace detail
} // namespace cuda
} // namespace at

namespace torch {
namespace stable {
namespace accelerator {
using c10::DeviceGuard;
using c10::DeviceIndex;
DeviceIndex getCurrentDeviceIndex();
struct Stream {
    c10::StreamId id() const;
};
Stream getCurrentStream(DeviceIndex device);
} // namespace accelerator
} // namespace stable
namespace cuda {
using namespace at::cuda;
bool is_available();
void synchronize(int64_t device = -1);
} // namespace cuda
} // namespace torch
inline int aoti_torch_get_current_cuda_stream(int32_t device, void **stream)
{
    *stream = c10::barlint_stream;
    return 0;
}

#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                                                    \
    int64_t _i_n_d_e_x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;                           \
    for (index_type i = _i_n_d_e_x; _i_n_d_e_x < (n);                                              \
         _i_n_d_e_x += blockDim.x * gridDim.x, i = _i_n_d_e_x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

// ---- device code ----

#define BARLINT_TORCH_ATOMIC(T, cuda)                                                              \
    static inline __device__ T gpuAtomicAdd(T *at, T value)                                        \
    {                                                                                              \
        cuda old = atomicAdd((cuda *)at, *(cuda *)&value);                                         \
        return *(T *)&old;                                                                         \
    }
BARLINT_TORCH_ATOMIC(float, float)
BARLINT_TORCH_ATOMIC(double, double)
BARLINT_TORCH_ATOMIC(int, int)
BARLINT_TORCH_ATOMIC(int64_t, unsigned long long)
BARLINT_TORCH_ATOMIC(c10::Half, __half)
BARLINT_TORCH_ATOMIC(c10::BFloat16, __nv_bfloat16)
// No barrier depends on what atomic operations of other widths do.
template <typename T> __device__ T gpuAtomicAdd(T *at, T value);
template <typename T> __device__ T gpuAtomicMul(T *at, T value);
template <typename T> __device__ T gpuAtomicMax(T *at, T value);
template <typename T> __device__ T gpuAtomicMin(T *at, T value);
template <typename T> __device__ void gpuAtomicAddNoReturn(T *at, T value)
{
    gpuAtomicAdd(at, value);
}
namespace at {
namespace native {
template <typename T, typename index_t>
__device__ void fastAtomicAdd(T *at, index_t index, const index_t count, T value, bool fast)
{
    gpuAtomicAddNoReturn(at + index, value);
}
} // namespace native
} // namespace at

#define BARLINT_TORCH_ALL_LANES 0xffffffffu
static inline __device__ unsigned WARP_BALLOT(int predicate,
                                              unsigned mask = BARLINT_TORCH_ALL_LANES)
{
    return __ballot_sync(mask, predicate);
}
static inline __device__ unsigned WARP_ACTIVE() { return __activemask(); }
static inline __device__ void WARP_SYNC(unsigned mask = BARLINT_TORCH_ALL_LANES)
{
    __syncwarp(mask);
}
#define BARLINT_TORCH_SHUFFLE_SMALL(T, name, intrinsic, T2)                                        \
    static inline __device__ T name(T value, T2 lane, int width = warpSize,                        \
                                    unsigned mask = BARLINT_TORCH_ALL_LANES)                       \
    {                                                                                              \
        return T(intrinsic(mask, (float)value, lane, width));                                      \
    }
#define BARLINT_TORCH_SHUFFLE(name, intrinsic, T2)                                                 \
    template <typename T>                                                                          \
    __device__ T name(T value, T2 lane, int width = warpSize,                                      \
                      unsigned mask = BARLINT_TORCH_ALL_LANES)                                     \
    {                                                                                              \
        return intrinsic(mask, value, lane, width);                                                \
    }                                                                                              \
    BARLINT_TORCH_SHUFFLE_SMALL(c10::Half, name, intrinsic, T2)                                    \
    BARLINT_TORCH_SHUFFLE_SMALL(c10::BFloat16, name, intrinsic, T2)
BARLINT_TORCH_SHUFFLE(WARP_SHFL, __shfl_sync, int)
BARLINT_TORCH_SHUFFLE(WARP_SHFL_XOR, __shfl_xor_sync, int)
BARLINT_TORCH_SHUFFLE(WARP_SHFL_UP, __shfl_up_sync, unsigned)
BARLINT_TORCH_SHUFFLE(WARP_SHFL_DOWN, __shfl_down_sync, unsigned)
template <typename T> __device__ T doLdg(const T *at) { return __ldg(at); }

#endif
