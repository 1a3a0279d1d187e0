// The runtime API. It is callable from both sides here: dynamic parallelism needs some of it.
#ifndef BARLINT_CUDA_RUNTIME_API_H
#define BARLINT_CUDA_RUNTIME_API_H

#include "barlint_runtime_rare.h"
#include "device_launch_parameters.h"
#include "driver_types.h"

#define CUDARTAPI
#define CUDART_CB
#define BARLINT_RT __host__ __device__ cudaError_t

extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                    void *stream = nullptr);
// Launches from device code.
extern "C" __device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
extern "C" __device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid,
                                                   dim3 block, unsigned int shared,
                                                   cudaStream_t stream);

extern "C" {
__host__ __device__ const char *cudaGetErrorString(cudaError_t error);
__host__ __device__ const char *cudaGetErrorName(cudaError_t error);
BARLINT_RT cudaGetLastError();
BARLINT_RT cudaPeekAtLastError();

BARLINT_RT cudaDeviceSynchronize();
BARLINT_RT cudaThreadSynchronize();
BARLINT_RT cudaDeviceReset();
BARLINT_RT cudaGetDeviceCount(int *count);
BARLINT_RT cudaGetDevice(int *device);
BARLINT_RT cudaSetDevice(int device);
BARLINT_RT cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
BARLINT_RT cudaSetDeviceFlags(unsigned int flags);
BARLINT_RT cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
BARLINT_RT cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
BARLINT_RT cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
BARLINT_RT cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int a, int b);
BARLINT_RT cudaDeviceGetPCIBusId(char *id, int length, int device);
BARLINT_RT cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
BARLINT_RT cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
BARLINT_RT cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
BARLINT_RT cudaDeviceSetCacheConfig(enum cudaFuncCache config);
BARLINT_RT cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
BARLINT_RT cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
BARLINT_RT cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
BARLINT_RT cudaDeviceCanAccessPeer(int *can, int device, int peer);
BARLINT_RT cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
BARLINT_RT cudaDeviceDisablePeerAccess(int peer);
BARLINT_RT cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
BARLINT_RT cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
BARLINT_RT cudaDriverGetVersion(int *version);
BARLINT_RT cudaRuntimeGetVersion(int *version);
BARLINT_RT cudaCtxResetPersistingL2Cache();
BARLINT_RT cudaProfilerStart();
BARLINT_RT cudaProfilerStop();

BARLINT_RT cudaMalloc(void **p, size_t size);
BARLINT_RT cudaMallocHost(void **p, size_t size);
BARLINT_RT cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
BARLINT_RT cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                           size_t width, size_t height = 0, unsigned int flags = 0);
BARLINT_RT cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent);
BARLINT_RT cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                             struct cudaExtent extent, unsigned int flags = 0);
BARLINT_RT cudaFree(void *p);
BARLINT_RT cudaFreeHost(void *p);
BARLINT_RT cudaFreeArray(cudaArray_t array);
BARLINT_RT cudaHostAlloc(void **p, size_t size, unsigned int flags);
BARLINT_RT cudaHostRegister(void *p, size_t size, unsigned int flags);
BARLINT_RT cudaHostUnregister(void *p);
BARLINT_RT cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
BARLINT_RT cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
BARLINT_RT cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
BARLINT_RT cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                           cudaStream_t stream = 0);
BARLINT_RT cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                        size_t height, enum cudaMemcpyKind kind);
BARLINT_RT cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind, cudaStream_t stream = 0);
BARLINT_RT cudaMemcpy2DToArray(cudaArray_t dst, size_t w, size_t h, const void *src, size_t spitch,
                               size_t width, size_t height, enum cudaMemcpyKind kind);
BARLINT_RT cudaMemcpyToArray(cudaArray_t dst, size_t w, size_t h, const void *src, size_t count,
                             enum cudaMemcpyKind kind);
BARLINT_RT cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
BARLINT_RT cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream = 0);
BARLINT_RT cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t n);
BARLINT_RT cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t n,
                               cudaStream_t stream = 0);
BARLINT_RT cudaMemset(void *p, int value, size_t count);
BARLINT_RT cudaMemsetAsync(void *p, int value, size_t count, cudaStream_t stream = 0);
BARLINT_RT cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
BARLINT_RT cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice, int device);
BARLINT_RT cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t stream = 0);
BARLINT_RT cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p);
BARLINT_RT cudaFreeAsync(void *p, cudaStream_t stream);
BARLINT_RT cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
BARLINT_RT cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
BARLINT_RT cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *p);
BARLINT_RT cudaIpcOpenMemHandle(void **p, cudaIpcMemHandle_t handle, unsigned int flags);
BARLINT_RT cudaIpcCloseMemHandle(void *p);
BARLINT_RT cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
BARLINT_RT cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

BARLINT_RT cudaStreamCreate(cudaStream_t *stream);
BARLINT_RT cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
BARLINT_RT cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
BARLINT_RT cudaStreamDestroy(cudaStream_t stream);
BARLINT_RT cudaStreamSynchronize(cudaStream_t stream);
BARLINT_RT cudaStreamQuery(cudaStream_t stream);
BARLINT_RT cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
BARLINT_RT cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data,
                                 unsigned int flags);
BARLINT_RT cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data);
BARLINT_RT cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
BARLINT_RT cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
BARLINT_RT cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
BARLINT_RT cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                  const cudaLaunchAttributeValue *value);
BARLINT_RT cudaStreamGetPriority(cudaStream_t stream, int *priority);
BARLINT_RT cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t n = 0,
                                    unsigned int flags = 4);
BARLINT_RT cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
BARLINT_RT cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
BARLINT_RT cudaEventSynchronize(cudaEvent_t event);
BARLINT_RT cudaEventQuery(cudaEvent_t event);
BARLINT_RT cudaEventDestroy(cudaEvent_t event);
BARLINT_RT cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

BARLINT_RT cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
BARLINT_RT cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
BARLINT_RT cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
BARLINT_RT cudaGraphExecDestroy(cudaGraphExec_t exec);
BARLINT_RT cudaGraphDestroy(cudaGraph_t graph);
BARLINT_RT cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependency, size_t count,
                                  const struct cudaKernelNodeParams *params);
BARLINT_RT cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                         unsigned long long flags = 0);
BARLINT_RT cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);

BARLINT_RT cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
BARLINT_RT cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value);
BARLINT_RT cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
BARLINT_RT cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
BARLINT_RT cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                            size_t shared = 0, cudaStream_t stream = 0);
BARLINT_RT cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                               void **arguments);
BARLINT_RT cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                       void **arguments, size_t shared = 0,
                                       cudaStream_t stream = 0);
BARLINT_RT cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list,
                                                  unsigned int devices, unsigned int flags = 0);
BARLINT_RT cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                         int block_size, size_t shared);
BARLINT_RT cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                  int block_size, size_t shared,
                                                                  unsigned int flags);
BARLINT_RT cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                          const cudaLaunchConfig_t *config);
BARLINT_RT cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                                const cudaLaunchConfig_t *config);

BARLINT_RT cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *r,
                                   const struct cudaTextureDesc *t,
                                   const struct cudaResourceViewDesc *v);
BARLINT_RT cudaDestroyTextureObject(cudaTextureObject_t object);
BARLINT_RT cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *r);
BARLINT_RT cudaDestroySurfaceObject(cudaSurfaceObject_t object);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
BARLINT_RT cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                   cudaDriverEntryPointQueryResult *status = nullptr);
}

// C++ forms.
BARLINT_RT cudaEventCreate(cudaEvent_t *event, unsigned int flags = 0);
BARLINT_RT cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                unsigned long long flags = 0);
BARLINT_RT cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error,
                                char *log, size_t size);
BARLINT_RT cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                            unsigned int version, unsigned long long flags,
                                            cudaDriverEntryPointQueryResult *status = nullptr);
BARLINT_RT cudaMemPrefetchAsync(const void *p, size_t n, struct cudaMemLocation location,
                                unsigned int flags, cudaStream_t stream = 0);
template <typename T> BARLINT_RT cudaMalloc(T **p, size_t size);
template <typename T> BARLINT_RT cudaMallocHost(T **p, size_t size, unsigned int flags = 0);
template <typename T>
BARLINT_RT cudaMallocManaged(T **p, size_t size, unsigned int flags = cudaMemAttachGlobal);
template <typename T> BARLINT_RT cudaMallocAsync(T **p, size_t size, cudaStream_t stream);
template <typename T>
BARLINT_RT cudaMallocAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream);
template <typename T> BARLINT_RT cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height);
template <typename T> BARLINT_RT cudaHostAlloc(T **p, size_t size, unsigned int flags);
template <typename T>
BARLINT_RT cudaHostGetDevicePointer(T **device, void *host, unsigned int flags);
template <typename T>
BARLINT_RT cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                              enum cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <typename T> BARLINT_RT
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0);
template <typename T>
BARLINT_RT cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <typename T>
BARLINT_RT cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                     cudaStream_t stream = 0);
template <typename T> BARLINT_RT cudaGetSymbolAddress(void **p, const T &symbol);
template <typename T> BARLINT_RT cudaGetSymbolSize(size_t *size, const T &symbol);
template <typename F> BARLINT_RT cudaFuncGetAttributes(struct cudaFuncAttributes *a, F *function);
template <typename F>
BARLINT_RT cudaFuncSetAttribute(F *function, enum cudaFuncAttribute attribute, int value);
template <typename F> BARLINT_RT cudaFuncSetCacheConfig(F *function, enum cudaFuncCache config);
template <typename F>
BARLINT_RT cudaFuncSetSharedMemConfig(F *function, enum cudaSharedMemConfig config);
template <typename F> BARLINT_RT cudaLaunchKernel(F *function, dim3 grid, dim3 block,
                                                  void **arguments, size_t shared = 0,
                                                  cudaStream_t stream = 0);
template <typename F> BARLINT_RT cudaLaunchCooperativeKernel(F *function, dim3 grid, dim3 block,
                                                             void **arguments, size_t shared = 0,
                                                             cudaStream_t stream = 0);
template <typename... P, typename... A> BARLINT_RT
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...arguments);
template <typename F>
BARLINT_RT cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F function, int block_size,
                                                         size_t shared);
template <typename F>
BARLINT_RT cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F function,
                                                                  int block_size, size_t shared,
                                                                  unsigned int flags);
template <typename F> BARLINT_RT cudaOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                                                    F function, size_t shared = 0,
                                                                    int limit = 0);
template <typename S, typename F>
BARLINT_RT cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F function,
                                                          S shared, int limit = 0);
template <typename F> BARLINT_RT
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, F function, int blocks, int block_size);
template <typename F> BARLINT_RT cudaOccupancyMaxActiveClusters(int *clusters, F *function,
                                                                const cudaLaunchConfig_t *config);
template <typename F> BARLINT_RT
cudaOccupancyMaxPotentialClusterSize(int *size, F *function, const cudaLaunchConfig_t *config);
template <typename T> cudaChannelFormatDesc cudaCreateChannelDesc();
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) {
    return {p, pitch, x, y};
}

// Texture and surface objects in device code.
template <typename T> __device__ T tex1Dfetch(cudaTextureObject_t t, int x);
template <typename T> __device__ T tex1D(cudaTextureObject_t t, float x);
template <typename T> __device__ T tex2D(cudaTextureObject_t t, float x, float y);
template <typename T> __device__ T tex3D(cudaTextureObject_t t, float x, float y, float z);
template <typename T> __device__ T tex1DLayered(cudaTextureObject_t t, float x, int layer);
template <typename T> __device__ T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer);
template <typename T> __device__ T tex2DLod(cudaTextureObject_t t, float x, float y, float level);
template <typename T> __device__ T tex2Dgather(cudaTextureObject_t t, float x, float y, int c = 0);
template <typename T> __device__ T texCubemap(cudaTextureObject_t t, float x, float y, float z);
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
template <typename T> __device__ T surf2Dread(cudaSurfaceObject_t s, int x, int y,
                                              cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap);
template <typename T> __device__ void surf2Dread(T *v, cudaSurfaceObject_t s, int x, int y,
                                                 cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap);
template <typename T> __device__ void surf2Dwrite(T v, cudaSurfaceObject_t s, int x, int y,
                                                  cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap);
template <typename T> __device__ T surf1Dread(cudaSurfaceObject_t s, int x,
                                              cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap);
template <typename T> __device__ void surf1Dwrite(T v, cudaSurfaceObject_t s, int x,
                                                  cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap);
template <typename T> __device__ T surf3Dread(cudaSurfaceObject_t s, int x, int y, int z,
                                              cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap);
template <typename T> __device__ void surf3Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int z,
                                                  cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap);

// Texture references, gone since CUDA 12.
template <typename T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
};
template <typename T, int d, cudaTextureReadMode m>
__device__ T tex1Dfetch(texture<T, d, m> t, int x);
template <typename T, int d, cudaTextureReadMode m> __device__ T tex1D(texture<T, d, m> t, float x);
template <typename T, int d, cudaTextureReadMode m>
__device__ T tex2D(texture<T, d, m> t, float x, float y);
template <typename T, int d, cudaTextureReadMode m>
__device__ T tex3D(texture<T, d, m> t, float x, float y, float z);
template <typename T, int d, cudaTextureReadMode m> BARLINT_RT
cudaBindTexture(size_t *offset, texture<T, d, m> &t, const void *p, size_t size = ~size_t(0));
template <typename T, int d, cudaTextureReadMode m>
BARLINT_RT cudaBindTexture(size_t *offset, texture<T, d, m> &t, const void *p,
                           const cudaChannelFormatDesc &desc, size_t size = ~size_t(0));
template <typename T, int d, cudaTextureReadMode m>
BARLINT_RT cudaBindTexture2D(size_t *offset, texture<T, d, m> &t, const void *p,
                             const cudaChannelFormatDesc &desc, size_t w, size_t h, size_t pitch);
template <typename T, int d, cudaTextureReadMode m>
BARLINT_RT cudaBindTextureToArray(texture<T, d, m> &t, cudaArray_const_t array);
template <typename T, int d, cudaTextureReadMode m>
BARLINT_RT cudaBindTextureToArray(texture<T, d, m> &t, cudaArray_const_t array,
                                  const cudaChannelFormatDesc &desc);
template <typename T, int d, cudaTextureReadMode m>
BARLINT_RT cudaUnbindTexture(texture<T, d, m> &t);

#endif
