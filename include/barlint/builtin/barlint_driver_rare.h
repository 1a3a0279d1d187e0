// What programs use less often of the driver API. The functions take anything.
#ifndef BARLINT_DRIVER_RARE_H
#define BARLINT_DRIVER_RARE_H

#include "driver_types.h"

typedef enum CUpointer_attribute_enum {
    CU_POINTER_ATTRIBUTE_CONTEXT = 1,
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
    CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
    CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
    CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
    CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
    CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10,
    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
    CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
    CU_POINTER_ATTRIBUTE_MAPPED = 13,
    CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
    CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
    CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
    CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,
    CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,
    CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19,
    CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20,
    CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21
} CUpointer_attribute;
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 0x01,
    CU_MEMORYTYPE_DEVICE = 0x02,
    CU_MEMORYTYPE_ARRAY = 0x03,
    CU_MEMORYTYPE_UNIFIED = 0x04
} CUmemorytype;
typedef enum CUstream_flags_enum {
    CU_STREAM_DEFAULT = 0x0,
    CU_STREAM_NON_BLOCKING = 0x1
} CUstream_flags;
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0x0,
    CU_EVENT_BLOCKING_SYNC = 0x1,
    CU_EVENT_DISABLE_TIMING = 0x2,
    CU_EVENT_INTERPROCESS = 0x4
} CUevent_flags;
typedef enum CUstreamWaitValue_flags_enum {
    CU_STREAM_WAIT_VALUE_GEQ = 0x0,
    CU_STREAM_WAIT_VALUE_EQ = 0x1,
    CU_STREAM_WAIT_VALUE_AND = 0x2,
    CU_STREAM_WAIT_VALUE_NOR = 0x3,
    CU_STREAM_WAIT_VALUE_FLUSH = 1 << 30
} CUstreamWaitValue_flags;
typedef enum CUstreamWriteValue_flags_enum {
    CU_STREAM_WRITE_VALUE_DEFAULT = 0x0,
    CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 0x1
} CUstreamWriteValue_flags;
typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE = 0x00,
    CU_FUNC_CACHE_PREFER_SHARED = 0x01,
    CU_FUNC_CACHE_PREFER_L1 = 0x02,
    CU_FUNC_CACHE_PREFER_EQUAL = 0x03
} CUfunc_cache;
typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0x00,
    CU_CTX_SCHED_SPIN = 0x01,
    CU_CTX_SCHED_YIELD = 0x02,
    CU_CTX_SCHED_BLOCKING_SYNC = 0x04,
    CU_CTX_BLOCKING_SYNC = 0x04,
    CU_CTX_SCHED_MASK = 0x07,
    CU_CTX_MAP_HOST = 0x08,
    CU_CTX_COREDUMP_ENABLE = 0x20,
    CU_CTX_USER_COREDUMP_ENABLE = 0x40,
    CU_CTX_SYNC_MEMOPS = 0x80,
    CU_CTX_FLAGS_MASK = 0xFF
} CUctx_flags;
typedef enum CUlimit_enum {
    CU_LIMIT_STACK_SIZE = 0x00,
    CU_LIMIT_PRINTF_FIFO_SIZE = 0x01,
    CU_LIMIT_MALLOC_HEAP_SIZE = 0x02,
    CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 0x03,
    CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 0x04,
    CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 0x05,
    CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 0x06,
    CU_LIMIT_SHMEM_SIZE = 0x07,
    CU_LIMIT_CIG_ENABLED = 0x08,
    CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 0x09
} CUlimit;
typedef enum CUmem_advise_enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
    CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
    CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 0x1,
    CU_MEM_ATTACH_HOST = 0x2,
    CU_MEM_ATTACH_SINGLE = 0x4
} CUmemAttach_flags;
typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN = 0,
    CU_JIT_INPUT_PTX = 1,
    CU_JIT_INPUT_FATBINARY = 2,
    CU_JIT_INPUT_OBJECT = 3,
    CU_JIT_INPUT_LIBRARY = 4,
    CU_JIT_INPUT_NVVM = 5,
    CU_JIT_NUM_INPUT_TYPES = 6
} CUjitInputType;
typedef enum CUgraphNodeType_enum {
    CU_GRAPH_NODE_TYPE_KERNEL = 0,
    CU_GRAPH_NODE_TYPE_MEMCPY = 1,
    CU_GRAPH_NODE_TYPE_MEMSET = 2,
    CU_GRAPH_NODE_TYPE_HOST = 3,
    CU_GRAPH_NODE_TYPE_GRAPH = 4,
    CU_GRAPH_NODE_TYPE_EMPTY = 5,
    CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
    CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9,
    CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
    CU_GRAPH_NODE_TYPE_MEM_FREE = 11,
    CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
    CU_GRAPH_NODE_TYPE_CONDITIONAL = 13
} CUgraphNodeType;
typedef enum CUmemRangeHandleType_enum {
    CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 0x1,
    CU_MEM_RANGE_HANDLE_TYPE_MAX = 0x7FFFFFFF
} CUmemRangeHandleType;
typedef enum CUflushGPUDirectRDMAWritesScope_enum {
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER = 100,
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES = 200
} CUflushGPUDirectRDMAWritesScope;
typedef enum CUflushGPUDirectRDMAWritesTarget_enum {
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX = 0
} CUflushGPUDirectRDMAWritesTarget;
typedef enum CUmemPool_attribute_enum {
    CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
    CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
    CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
    CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
    CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH,
    CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
    CU_MEMPOOL_ATTR_USED_MEM_HIGH
} CUmemPool_attribute;
typedef enum CUstreamCaptureMode_enum {
    CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
    CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum {
    CU_STREAM_CAPTURE_STATUS_NONE = 0,
    CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
    CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;
typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE = 0x0,
    CU_MEM_ALLOCATION_COMP_GENERIC = 0x1
} CUmemAllocationCompType;
typedef enum CUclusterSchedulingPolicy_enum {
    CU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0,
    CU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1,
    CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2
} CUclusterSchedulingPolicy;
typedef enum CUstreamBatchMemOpType_enum {
    CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
    CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
    CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
    CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
    CU_STREAM_MEM_OP_BARRIER = 6,
    CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3
} CUstreamBatchMemOpType;
typedef enum CUresourcetype_enum {
    CU_RESOURCE_TYPE_ARRAY = 0x00,
    CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 0x01,
    CU_RESOURCE_TYPE_LINEAR = 0x02,
    CU_RESOURCE_TYPE_PITCH2D = 0x03
} CUresourcetype;
typedef enum CUaddress_mode_enum {
    CU_TR_ADDRESS_MODE_WRAP = 0,
    CU_TR_ADDRESS_MODE_CLAMP = 1,
    CU_TR_ADDRESS_MODE_MIRROR = 2,
    CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;
typedef enum CUfilter_mode_enum {
    CU_TR_FILTER_MODE_POINT = 0,
    CU_TR_FILTER_MODE_LINEAR = 1
} CUfilter_mode;
typedef enum CUarray_format_enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
    CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
    CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
    CU_AD_FORMAT_SIGNED_INT8 = 0x08,
    CU_AD_FORMAT_SIGNED_INT16 = 0x09,
    CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
    CU_AD_FORMAT_HALF = 0x10,
    CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef struct CUexternalMemory_st *CUexternalMemory;
typedef struct CUexternalSemaphore_st *CUexternalSemaphore;
typedef cudaHostFn_t CUhostFn;
#define CU_IPC_HANDLE_SIZE 64
typedef struct CUipcMemHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;
typedef struct CUipcEventHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcEventHandle;
#define CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS 1
#define CU_MEMHOSTALLOC_PORTABLE 1
#define CU_MEMHOSTALLOC_DEVICEMAP 2
#define CU_MEMHOSTALLOC_WRITECOMBINED 4
#define CU_MEMHOSTREGISTER_PORTABLE 1
#define CU_MEMHOSTREGISTER_DEVICEMAP 2
#define CU_MEMHOSTREGISTER_IOMEMORY 4
#define CU_GET_PROC_ADDRESS_DEFAULT 0
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_PARAM_TR_DEFAULT -1
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08

#define BARLINT_DRIVER_ANY(name) template <typename... A> CUresult name(A &&...);
BARLINT_DRIVER_ANY(cuArray3DCreate)
BARLINT_DRIVER_ANY(cuArrayCreate)
BARLINT_DRIVER_ANY(cuCtxDetach)
BARLINT_DRIVER_ANY(cuCtxFromGreenCtx)
BARLINT_DRIVER_ANY(cuCtxGetApiVersion)
BARLINT_DRIVER_ANY(cuCtxGetCacheConfig)
BARLINT_DRIVER_ANY(cuCtxGetDevResource)
BARLINT_DRIVER_ANY(cuCtxGetExecAffinity)
BARLINT_DRIVER_ANY(cuCtxGetFlags)
BARLINT_DRIVER_ANY(cuCtxGetId)
BARLINT_DRIVER_ANY(cuCtxGetLimit)
BARLINT_DRIVER_ANY(cuCtxGetSharedMemConfig)
BARLINT_DRIVER_ANY(cuCtxGetStreamPriorityRange)
BARLINT_DRIVER_ANY(cuCtxPopCurrent)
BARLINT_DRIVER_ANY(cuCtxPushCurrent)
BARLINT_DRIVER_ANY(cuCtxResetPersistingL2Cache)
BARLINT_DRIVER_ANY(cuCtxSetCacheConfig)
BARLINT_DRIVER_ANY(cuCtxSetFlags)
BARLINT_DRIVER_ANY(cuCtxSetLimit)
BARLINT_DRIVER_ANY(cuCtxSetSharedMemConfig)
BARLINT_DRIVER_ANY(cuDevResourceGenerateDesc)
BARLINT_DRIVER_ANY(cuDevSmResourceSplitByCount)
BARLINT_DRIVER_ANY(cuDeviceCanAccessPeer)
BARLINT_DRIVER_ANY(cuDeviceComputeCapability)
BARLINT_DRIVER_ANY(cuDeviceGetByPCIBusId)
BARLINT_DRIVER_ANY(cuDeviceGetDefaultMemPool)
BARLINT_DRIVER_ANY(cuDeviceGetDevResource)
BARLINT_DRIVER_ANY(cuDeviceGetExecAffinitySupport)
BARLINT_DRIVER_ANY(cuDeviceGetGraphMemAttribute)
BARLINT_DRIVER_ANY(cuDeviceGetHostAtomicCapabilities)
BARLINT_DRIVER_ANY(cuDeviceGetLuid)
BARLINT_DRIVER_ANY(cuDeviceGetMemPool)
BARLINT_DRIVER_ANY(cuDeviceGetNvSciSyncAttributes)
BARLINT_DRIVER_ANY(cuDeviceGetP2PAtomicCapabilities)
BARLINT_DRIVER_ANY(cuDeviceGetP2PAttribute)
BARLINT_DRIVER_ANY(cuDeviceGetPCIBusId)
BARLINT_DRIVER_ANY(cuDeviceGetProperties)
BARLINT_DRIVER_ANY(cuDeviceGetTexture1DLinearMaxWidth)
BARLINT_DRIVER_ANY(cuDeviceGetUuid)
BARLINT_DRIVER_ANY(cuDevicePrimaryCtxGetState)
BARLINT_DRIVER_ANY(cuDevicePrimaryCtxReset)
BARLINT_DRIVER_ANY(cuDevicePrimaryCtxSetFlags)
BARLINT_DRIVER_ANY(cuDeviceTotalMem)
BARLINT_DRIVER_ANY(cuEventQuery)
BARLINT_DRIVER_ANY(cuEventRecordWithFlags)
BARLINT_DRIVER_ANY(cuFlushGPUDirectRDMAWrites)
BARLINT_DRIVER_ANY(cuFuncGetModule)
BARLINT_DRIVER_ANY(cuFuncGetName)
BARLINT_DRIVER_ANY(cuFuncGetParamInfo)
BARLINT_DRIVER_ANY(cuFuncIsLoaded)
BARLINT_DRIVER_ANY(cuFuncLoad)
BARLINT_DRIVER_ANY(cuFuncSetBlockShape)
BARLINT_DRIVER_ANY(cuFuncSetCacheConfig)
BARLINT_DRIVER_ANY(cuFuncSetSharedMemConfig)
BARLINT_DRIVER_ANY(cuFuncSetSharedSize)
BARLINT_DRIVER_ANY(cuGraphAddBatchMemOpNode)
BARLINT_DRIVER_ANY(cuGraphAddChildGraphNode)
BARLINT_DRIVER_ANY(cuGraphAddDependencies)
BARLINT_DRIVER_ANY(cuGraphAddEmptyNode)
BARLINT_DRIVER_ANY(cuGraphAddEventRecordNode)
BARLINT_DRIVER_ANY(cuGraphAddEventWaitNode)
BARLINT_DRIVER_ANY(cuGraphAddExternalSemaphoresSignalNode)
BARLINT_DRIVER_ANY(cuGraphAddExternalSemaphoresWaitNode)
BARLINT_DRIVER_ANY(cuGraphAddHostNode)
BARLINT_DRIVER_ANY(cuGraphAddKernelNode)
BARLINT_DRIVER_ANY(cuGraphAddMemAllocNode)
BARLINT_DRIVER_ANY(cuGraphAddMemFreeNode)
BARLINT_DRIVER_ANY(cuGraphAddMemcpyNode)
BARLINT_DRIVER_ANY(cuGraphAddMemsetNode)
BARLINT_DRIVER_ANY(cuGraphAddNode)
BARLINT_DRIVER_ANY(cuGraphBatchMemOpNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphBatchMemOpNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphChildGraphNodeGetGraph)
BARLINT_DRIVER_ANY(cuGraphClone)
BARLINT_DRIVER_ANY(cuGraphConditionalHandleCreate)
BARLINT_DRIVER_ANY(cuGraphCreate)
BARLINT_DRIVER_ANY(cuGraphDebugDotPrint)
BARLINT_DRIVER_ANY(cuGraphDestroy)
BARLINT_DRIVER_ANY(cuGraphDestroyNode)
BARLINT_DRIVER_ANY(cuGraphEventRecordNodeGetEvent)
BARLINT_DRIVER_ANY(cuGraphEventRecordNodeSetEvent)
BARLINT_DRIVER_ANY(cuGraphEventWaitNodeGetEvent)
BARLINT_DRIVER_ANY(cuGraphEventWaitNodeSetEvent)
BARLINT_DRIVER_ANY(cuGraphExecBatchMemOpNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecChildGraphNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecDestroy)
BARLINT_DRIVER_ANY(cuGraphExecEventRecordNodeSetEvent)
BARLINT_DRIVER_ANY(cuGraphExecEventWaitNodeSetEvent)
BARLINT_DRIVER_ANY(cuGraphExecExternalSemaphoresSignalNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecExternalSemaphoresWaitNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecGetFlags)
BARLINT_DRIVER_ANY(cuGraphExecHostNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecKernelNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecMemcpyNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecMemsetNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExecUpdate)
BARLINT_DRIVER_ANY(cuGraphExternalSemaphoresSignalNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphExternalSemaphoresSignalNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphExternalSemaphoresWaitNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphExternalSemaphoresWaitNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphGetEdges)
BARLINT_DRIVER_ANY(cuGraphGetNodes)
BARLINT_DRIVER_ANY(cuGraphGetRootNodes)
BARLINT_DRIVER_ANY(cuGraphHostNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphHostNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphInstantiate)
BARLINT_DRIVER_ANY(cuGraphInstantiateWithParams)
BARLINT_DRIVER_ANY(cuGraphKernelNodeCopyAttributes)
BARLINT_DRIVER_ANY(cuGraphKernelNodeGetAttribute)
BARLINT_DRIVER_ANY(cuGraphKernelNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphKernelNodeSetAttribute)
BARLINT_DRIVER_ANY(cuGraphKernelNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphLaunch)
BARLINT_DRIVER_ANY(cuGraphMemAllocNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphMemFreeNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphMemcpyNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphMemcpyNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphMemsetNodeGetParams)
BARLINT_DRIVER_ANY(cuGraphMemsetNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphNodeFindInClone)
BARLINT_DRIVER_ANY(cuGraphNodeGetDependencies)
BARLINT_DRIVER_ANY(cuGraphNodeGetDependentNodes)
BARLINT_DRIVER_ANY(cuGraphNodeGetEnabled)
BARLINT_DRIVER_ANY(cuGraphNodeGetType)
BARLINT_DRIVER_ANY(cuGraphNodeSetEnabled)
BARLINT_DRIVER_ANY(cuGraphNodeSetParams)
BARLINT_DRIVER_ANY(cuGraphReleaseUserObject)
BARLINT_DRIVER_ANY(cuGraphRemoveDependencies)
BARLINT_DRIVER_ANY(cuGraphRetainUserObject)
BARLINT_DRIVER_ANY(cuGraphUpload)
BARLINT_DRIVER_ANY(cuGraphicsMapResources)
BARLINT_DRIVER_ANY(cuGraphicsResourceGetMappedMipmappedArray)
BARLINT_DRIVER_ANY(cuGraphicsResourceGetMappedPointer)
BARLINT_DRIVER_ANY(cuGraphicsResourceSetMapFlags)
BARLINT_DRIVER_ANY(cuGraphicsSubResourceGetMappedArray)
BARLINT_DRIVER_ANY(cuGraphicsUnmapResources)
BARLINT_DRIVER_ANY(cuGraphicsUnregisterResource)
BARLINT_DRIVER_ANY(cuGreenCtxCreate)
BARLINT_DRIVER_ANY(cuGreenCtxDestroy)
BARLINT_DRIVER_ANY(cuGreenCtxGetDevResource)
BARLINT_DRIVER_ANY(cuGreenCtxStreamCreate)
BARLINT_DRIVER_ANY(cuIpcCloseMemHandle)
BARLINT_DRIVER_ANY(cuIpcGetEventHandle)
BARLINT_DRIVER_ANY(cuIpcGetMemHandle)
BARLINT_DRIVER_ANY(cuIpcOpenEventHandle)
BARLINT_DRIVER_ANY(cuIpcOpenMemHandle)
BARLINT_DRIVER_ANY(cuKernelGetAttribute)
BARLINT_DRIVER_ANY(cuKernelGetLibrary)
BARLINT_DRIVER_ANY(cuKernelGetName)
BARLINT_DRIVER_ANY(cuKernelGetParamInfo)
BARLINT_DRIVER_ANY(cuKernelSetAttribute)
BARLINT_DRIVER_ANY(cuKernelSetCacheConfig)
BARLINT_DRIVER_ANY(cuLaunch)
BARLINT_DRIVER_ANY(cuLaunchCooperativeKernelMultiDevice)
BARLINT_DRIVER_ANY(cuLaunchGrid)
BARLINT_DRIVER_ANY(cuLaunchGridAsync)
BARLINT_DRIVER_ANY(cuLaunchHostFunc)
BARLINT_DRIVER_ANY(cuLibraryEnumerateKernels)
BARLINT_DRIVER_ANY(cuLibraryGetGlobal)
BARLINT_DRIVER_ANY(cuLibraryGetKernelCount)
BARLINT_DRIVER_ANY(cuLibraryGetManaged)
BARLINT_DRIVER_ANY(cuLibraryGetModule)
BARLINT_DRIVER_ANY(cuLibraryGetUnifiedFunction)
BARLINT_DRIVER_ANY(cuLibraryLoadFromFile)
BARLINT_DRIVER_ANY(cuLibraryUnload)
BARLINT_DRIVER_ANY(cuLinkAddData)
BARLINT_DRIVER_ANY(cuLinkAddFile)
BARLINT_DRIVER_ANY(cuLinkComplete)
BARLINT_DRIVER_ANY(cuLinkCreate)
BARLINT_DRIVER_ANY(cuLinkDestroy)
BARLINT_DRIVER_ANY(cuMemAdvise)
BARLINT_DRIVER_ANY(cuMemAllocAsync)
BARLINT_DRIVER_ANY(cuMemAllocFromPoolAsync)
BARLINT_DRIVER_ANY(cuMemAllocPitch)
BARLINT_DRIVER_ANY(cuMemBatchDecompressAsync)
BARLINT_DRIVER_ANY(cuMemFreeAsync)
BARLINT_DRIVER_ANY(cuMemGetAccess)
BARLINT_DRIVER_ANY(cuMemGetAddressRange)
BARLINT_DRIVER_ANY(cuMemGetAllocationPropertiesFromHandle)
BARLINT_DRIVER_ANY(cuMemGetDefaultMemPool)
BARLINT_DRIVER_ANY(cuMemGetHandleForAddressRange)
BARLINT_DRIVER_ANY(cuMemGetMemPool)
BARLINT_DRIVER_ANY(cuMemHostAlloc)
BARLINT_DRIVER_ANY(cuMemHostGetDevicePointer)
BARLINT_DRIVER_ANY(cuMemHostGetFlags)
BARLINT_DRIVER_ANY(cuMemHostRegister)
BARLINT_DRIVER_ANY(cuMemHostUnregister)
BARLINT_DRIVER_ANY(cuMemMapArrayAsync)
BARLINT_DRIVER_ANY(cuMemPoolCreate)
BARLINT_DRIVER_ANY(cuMemPoolDestroy)
BARLINT_DRIVER_ANY(cuMemPoolExportPointer)
BARLINT_DRIVER_ANY(cuMemPoolExportToShareableHandle)
BARLINT_DRIVER_ANY(cuMemPoolGetAccess)
BARLINT_DRIVER_ANY(cuMemPoolGetAttribute)
BARLINT_DRIVER_ANY(cuMemPoolImportFromShareableHandle)
BARLINT_DRIVER_ANY(cuMemPoolImportPointer)
BARLINT_DRIVER_ANY(cuMemPoolSetAccess)
BARLINT_DRIVER_ANY(cuMemPoolSetAttribute)
BARLINT_DRIVER_ANY(cuMemPoolTrimTo)
BARLINT_DRIVER_ANY(cuMemPrefetchAsync)
BARLINT_DRIVER_ANY(cuMemPrefetchBatchAsync)
BARLINT_DRIVER_ANY(cuMemcpy)
BARLINT_DRIVER_ANY(cuMemcpy2D)
BARLINT_DRIVER_ANY(cuMemcpy2DAsync)
BARLINT_DRIVER_ANY(cuMemcpy2DUnaligned)
BARLINT_DRIVER_ANY(cuMemcpy3D)
BARLINT_DRIVER_ANY(cuMemcpy3DAsync)
BARLINT_DRIVER_ANY(cuMemcpy3DBatchAsync)
BARLINT_DRIVER_ANY(cuMemcpy3DPeer)
BARLINT_DRIVER_ANY(cuMemcpy3DPeerAsync)
BARLINT_DRIVER_ANY(cuMemcpyAsync)
BARLINT_DRIVER_ANY(cuMemcpyAtoA)
BARLINT_DRIVER_ANY(cuMemcpyAtoD)
BARLINT_DRIVER_ANY(cuMemcpyAtoH)
BARLINT_DRIVER_ANY(cuMemcpyAtoHAsync)
BARLINT_DRIVER_ANY(cuMemcpyBatchAsync)
BARLINT_DRIVER_ANY(cuMemcpyDtoA)
BARLINT_DRIVER_ANY(cuMemcpyDtoDAsync)
BARLINT_DRIVER_ANY(cuMemcpyHtoA)
BARLINT_DRIVER_ANY(cuMemcpyHtoAAsync)
BARLINT_DRIVER_ANY(cuMemcpyPeer)
BARLINT_DRIVER_ANY(cuMemcpyPeerAsync)
BARLINT_DRIVER_ANY(cuMemsetD16)
BARLINT_DRIVER_ANY(cuMemsetD16Async)
BARLINT_DRIVER_ANY(cuMemsetD2D16)
BARLINT_DRIVER_ANY(cuMemsetD2D16Async)
BARLINT_DRIVER_ANY(cuMemsetD2D32)
BARLINT_DRIVER_ANY(cuMemsetD2D32Async)
BARLINT_DRIVER_ANY(cuMemsetD2D8)
BARLINT_DRIVER_ANY(cuMemsetD2D8Async)
BARLINT_DRIVER_ANY(cuMemsetD32Async)
BARLINT_DRIVER_ANY(cuMemsetD8Async)
BARLINT_DRIVER_ANY(cuModuleEnumerateFunctions)
BARLINT_DRIVER_ANY(cuModuleGetFunctionCount)
BARLINT_DRIVER_ANY(cuModuleGetLoadingMode)
BARLINT_DRIVER_ANY(cuModuleGetSurfRef)
BARLINT_DRIVER_ANY(cuModuleGetTexRef)
BARLINT_DRIVER_ANY(cuModuleLoadFatBinary)
BARLINT_DRIVER_ANY(cuOccupancyAvailableDynamicSMemPerBlock)
BARLINT_DRIVER_ANY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
BARLINT_DRIVER_ANY(cuOccupancyMaxActiveClusters)
BARLINT_DRIVER_ANY(cuOccupancyMaxPotentialBlockSize)
BARLINT_DRIVER_ANY(cuOccupancyMaxPotentialBlockSizeWithFlags)
BARLINT_DRIVER_ANY(cuOccupancyMaxPotentialClusterSize)
BARLINT_DRIVER_ANY(cuParamSetSize)
BARLINT_DRIVER_ANY(cuParamSetTexRef)
BARLINT_DRIVER_ANY(cuParamSetv)
BARLINT_DRIVER_ANY(cuPointerGetAttribute)
BARLINT_DRIVER_ANY(cuPointerGetAttributes)
BARLINT_DRIVER_ANY(cuPointerSetAttribute)
BARLINT_DRIVER_ANY(cuStreamAddCallback)
BARLINT_DRIVER_ANY(cuStreamAttachMemAsync)
BARLINT_DRIVER_ANY(cuStreamBatchMemOp)
BARLINT_DRIVER_ANY(cuStreamBeginCapture)
BARLINT_DRIVER_ANY(cuStreamBeginCaptureToGraph)
BARLINT_DRIVER_ANY(cuStreamCopyAttributes)
BARLINT_DRIVER_ANY(cuStreamCreateWithPriority)
BARLINT_DRIVER_ANY(cuStreamEndCapture)
BARLINT_DRIVER_ANY(cuStreamGetAttribute)
BARLINT_DRIVER_ANY(cuStreamGetCaptureInfo)
BARLINT_DRIVER_ANY(cuStreamGetCtx)
BARLINT_DRIVER_ANY(cuStreamGetDevice)
BARLINT_DRIVER_ANY(cuStreamGetFlags)
BARLINT_DRIVER_ANY(cuStreamGetGreenCtx)
BARLINT_DRIVER_ANY(cuStreamGetId)
BARLINT_DRIVER_ANY(cuStreamGetPriority)
BARLINT_DRIVER_ANY(cuStreamIsCapturing)
BARLINT_DRIVER_ANY(cuStreamQuery)
BARLINT_DRIVER_ANY(cuStreamSetAttribute)
BARLINT_DRIVER_ANY(cuStreamUpdateCaptureDependencies)
BARLINT_DRIVER_ANY(cuStreamWaitEvent)
BARLINT_DRIVER_ANY(cuStreamWaitValue32)
BARLINT_DRIVER_ANY(cuStreamWaitValue64)
BARLINT_DRIVER_ANY(cuStreamWriteValue32)
BARLINT_DRIVER_ANY(cuStreamWriteValue64)
BARLINT_DRIVER_ANY(cuTexRefSetAddress)
BARLINT_DRIVER_ANY(cuTexRefSetFormat)
BARLINT_DRIVER_ANY(cuCtxCreate_v2)
BARLINT_DRIVER_ANY(cuCtxDestroy_v2)
BARLINT_DRIVER_ANY(cuCtxPushCurrent_v2)
BARLINT_DRIVER_ANY(cuCtxPopCurrent_v2)
BARLINT_DRIVER_ANY(cuMemAlloc_v2)
BARLINT_DRIVER_ANY(cuMemFree_v2)
BARLINT_DRIVER_ANY(cuMemGetInfo_v2)
BARLINT_DRIVER_ANY(cuMemGetAddressRange_v2)
BARLINT_DRIVER_ANY(cuMemcpyHtoD_v2)
BARLINT_DRIVER_ANY(cuMemcpyDtoH_v2)
BARLINT_DRIVER_ANY(cuMemcpyHtoDAsync_v2)
BARLINT_DRIVER_ANY(cuMemcpyDtoHAsync_v2)
BARLINT_DRIVER_ANY(cuStreamWaitValue32_v2)
BARLINT_DRIVER_ANY(cuStreamWriteValue32_v2)
BARLINT_DRIVER_ANY(cuStreamWaitValue64_v2)
BARLINT_DRIVER_ANY(cuStreamWriteValue64_v2)
BARLINT_DRIVER_ANY(cuStreamBatchMemOp_v2)
BARLINT_DRIVER_ANY(cuGraphKernelNodeGetParams_v2)

#endif
