// What host programs use less often of the runtime API: pools, graphs, libraries and memory of
// others. The functions take anything.
#ifndef BARLINT_RUNTIME_RARE_H
#define BARLINT_RUNTIME_RARE_H

#include "driver_types.h"

enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0x0,
    cudaMemAllocationTypePinned = 0x1,
    cudaMemAllocationTypeManaged = 0x2
};
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0x0,
    cudaMemHandleTypePosixFileDescriptor = 0x1,
    cudaMemHandleTypeWin32 = 0x2,
    cudaMemHandleTypeWin32Kmt = 0x4,
    cudaMemHandleTypeFabric = 0x8
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
};
struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};
enum cudaMemcpySrcAccessOrder {
    cudaMemcpySrcAccessOrderInvalid = 0x0,
    cudaMemcpySrcAccessOrderStream = 0x1,
    cudaMemcpySrcAccessOrderDuringApiCall = 0x2,
    cudaMemcpySrcAccessOrderAny = 0x3
};
enum cudaMemcpyFlags { cudaMemcpyFlagDefault, cudaMemcpyFlagPreferOverlapWithCompute };
struct cudaMemcpyAttributes {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    struct cudaMemLocation srcLocHint, dstLocHint;
    unsigned int flags;
};
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    int dstDevice;
    struct cudaExtent extent;
};

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0x00,
    cudaGraphNodeTypeMemcpy = 0x01,
    cudaGraphNodeTypeMemset = 0x02,
    cudaGraphNodeTypeHost = 0x03,
    cudaGraphNodeTypeGraph = 0x04,
    cudaGraphNodeTypeEmpty = 0x05,
    cudaGraphNodeTypeWaitEvent = 0x06,
    cudaGraphNodeTypeEventRecord = 0x07,
    cudaGraphNodeTypeExtSemaphoreSignal = 0x08,
    cudaGraphNodeTypeExtSemaphoreWait = 0x09,
    cudaGraphNodeTypeMemAlloc = 0x0a,
    cudaGraphNodeTypeMemFree = 0x0b,
    cudaGraphNodeTypeConditional = 0x0d
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0x0,
    cudaGraphExecUpdateError = 0x1,
    cudaGraphExecUpdateErrorTopologyChanged = 0x2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 0x3,
    cudaGraphExecUpdateErrorFunctionChanged = 0x4,
    cudaGraphExecUpdateErrorParametersChanged = 0x5,
    cudaGraphExecUpdateErrorNotSupported = 0x6,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 0x7,
    cudaGraphExecUpdateErrorAttributesChanged = 0x8
};
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
enum cudaGraphDebugDotFlags {
    cudaGraphDebugDotFlagsVerbose = 1 << 0,
    cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
    cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
    cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
    cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,
    cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
    cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
    cudaGraphDebugDotFlagsHandles = 1 << 10,
    cudaGraphDebugDotFlagsConditionalNodeParams = 1 << 15
};
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0x0,
    cudaStreamSetCaptureDependencies = 0x1
};
typedef enum cudaGraphDependencyType_enum {
    cudaGraphDependencyTypeDefault,
    cudaGraphDependencyTypeProgrammatic
} cudaGraphDependencyType;
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2
typedef unsigned long long cudaGraphConditionalHandle;
#define cudaGraphCondAssignDefault 1
enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf = 0,
    cudaGraphCondTypeWhile = 1,
    cudaGraphCondTypeSwitch = 2
};
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    unsigned int size;
    cudaGraph_t *phGraph_out;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type;
    struct cudaKernelNodeParams kernel;
    struct cudaMemsetParams memset;
    struct cudaHostNodeParams host;
    struct cudaMemAllocNodeParams alloc;
    struct cudaConditionalNodeParams conditional;
};
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent,
    cudaGraphMemAttrUsedMemHigh,
    cudaGraphMemAttrReservedMemCurrent,
    cudaGraphMemAttrReservedMemHigh
};
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };

enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1,
    cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
    cudaExternalMemoryHandleTypeD3D12Heap = 4,
    cudaExternalMemoryHandleTypeD3D12Resource = 5,
    cudaExternalMemoryHandleTypeD3D11Resource = 6,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
    cudaExternalMemoryHandleTypeNvSciBuf = 8
};
struct cudaExternalMemoryHandleDesc {
    enum cudaExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned int flags;
};
struct cudaExternalMemoryBufferDesc {
    unsigned long long offset, size;
    unsigned int flags;
};
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    struct cudaChannelFormatDesc formatDesc;
    struct cudaExtent extent;
    unsigned int flags, numLevels;
};
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone,
    cudaGraphicsMapFlagsReadOnly,
    cudaGraphicsMapFlagsWriteDiscard
};

#define cudaEventRecordDefault 0
#define cudaEventRecordExternal 1
#define cudaEventWaitDefault 0
#define cudaEventWaitExternal 1
#define cudaOccupancyDisableCachingOverride 1
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)

#define BARLINT_RT_ANY(name) template <typename... A> __host__ __device__ cudaError_t name(A &&...);
BARLINT_RT_ANY(cudaMemset2DAsync)
BARLINT_RT_ANY(cudaMemset3D)
BARLINT_RT_ANY(cudaMemset3DAsync)
BARLINT_RT_ANY(cudaMemcpy2DToArrayAsync)
BARLINT_RT_ANY(cudaMemcpy2DFromArray)
BARLINT_RT_ANY(cudaMemcpy2DFromArrayAsync)
BARLINT_RT_ANY(cudaMemcpyFromArray)
BARLINT_RT_ANY(cudaMemcpy3DPeer)
BARLINT_RT_ANY(cudaMemcpy3DPeerAsync)
BARLINT_RT_ANY(cudaMemcpyBatchAsync)
BARLINT_RT_ANY(cudaMemcpy3DBatchAsync)
BARLINT_RT_ANY(cudaMemPrefetchBatchAsync)
BARLINT_RT_ANY(cudaMemRangeGetAttribute)
BARLINT_RT_ANY(cudaMemRangeGetAttributes)
BARLINT_RT_ANY(cudaHostGetFlags)

BARLINT_RT_ANY(cudaArrayGetInfo)
BARLINT_RT_ANY(cudaArrayGetPlane)
BARLINT_RT_ANY(cudaGetMipmappedArrayLevel)
BARLINT_RT_ANY(cudaMallocMipmappedArray)
BARLINT_RT_ANY(cudaFreeMipmappedArray)
BARLINT_RT_ANY(cudaGetChannelDesc)
BARLINT_RT_ANY(cudaGetTextureObjectTextureDesc)
BARLINT_RT_ANY(cudaGetTextureObjectResourceDesc)
BARLINT_RT_ANY(cudaGetSurfaceObjectResourceDesc)

BARLINT_RT_ANY(cudaDeviceGetMemPool)
BARLINT_RT_ANY(cudaDeviceGetByPCIBusId)
BARLINT_RT_ANY(cudaDeviceGetTexture1DLinearMaxWidth)
BARLINT_RT_ANY(cudaDeviceGetGraphMemAttribute)
BARLINT_RT_ANY(cudaDeviceSetGraphMemAttribute)
BARLINT_RT_ANY(cudaDeviceGraphMemTrim)
BARLINT_RT_ANY(cudaDeviceFlushGPUDirectRDMAWrites)
BARLINT_RT_ANY(cudaGetDeviceFlags)
BARLINT_RT_ANY(cudaSetValidDevices)
BARLINT_RT_ANY(cudaThreadExit)

BARLINT_RT_ANY(cudaMemPoolCreate)
BARLINT_RT_ANY(cudaMemPoolDestroy)
BARLINT_RT_ANY(cudaMemPoolGetAttribute)
BARLINT_RT_ANY(cudaMemPoolSetAccess)
BARLINT_RT_ANY(cudaMemPoolGetAccess)
BARLINT_RT_ANY(cudaMemPoolExportToShareableHandle)
BARLINT_RT_ANY(cudaMemPoolImportFromShareableHandle)
BARLINT_RT_ANY(cudaMemPoolExportPointer)
BARLINT_RT_ANY(cudaMemPoolImportPointer)
BARLINT_RT_ANY(cudaMallocFromPoolAsync)

BARLINT_RT_ANY(cudaStreamGetFlags)
BARLINT_RT_ANY(cudaStreamGetId)
BARLINT_RT_ANY(cudaStreamGetDevice)
BARLINT_RT_ANY(cudaStreamGetAttribute)
BARLINT_RT_ANY(cudaStreamCopyAttributes)
BARLINT_RT_ANY(cudaStreamBeginCaptureToGraph)
BARLINT_RT_ANY(cudaStreamGetCaptureInfo)
BARLINT_RT_ANY(cudaStreamGetCaptureInfo_v2)
BARLINT_RT_ANY(cudaStreamGetCaptureInfo_v3)
BARLINT_RT_ANY(cudaStreamUpdateCaptureDependencies)
BARLINT_RT_ANY(cudaStreamUpdateCaptureDependencies_v2)
BARLINT_RT_ANY(cudaThreadExchangeStreamCaptureMode)
BARLINT_RT_ANY(cudaEventRecordWithFlags)

BARLINT_RT_ANY(cudaGraphAddNode)
BARLINT_RT_ANY(cudaGraphAddNode_v2)
BARLINT_RT_ANY(cudaGraphAddMemcpyNode)
BARLINT_RT_ANY(cudaGraphAddMemcpyNode1D)
BARLINT_RT_ANY(cudaGraphAddMemcpyNodeToSymbol)
BARLINT_RT_ANY(cudaGraphAddMemcpyNodeFromSymbol)
BARLINT_RT_ANY(cudaGraphAddMemsetNode)
BARLINT_RT_ANY(cudaGraphAddHostNode)
BARLINT_RT_ANY(cudaGraphAddChildGraphNode)
BARLINT_RT_ANY(cudaGraphAddEmptyNode)
BARLINT_RT_ANY(cudaGraphAddEventRecordNode)
BARLINT_RT_ANY(cudaGraphAddEventWaitNode)
BARLINT_RT_ANY(cudaGraphAddMemAllocNode)
BARLINT_RT_ANY(cudaGraphAddMemFreeNode)
BARLINT_RT_ANY(cudaGraphAddDependencies)
BARLINT_RT_ANY(cudaGraphRemoveDependencies)
BARLINT_RT_ANY(cudaGraphClone)
BARLINT_RT_ANY(cudaGraphDestroyNode)
BARLINT_RT_ANY(cudaGraphNodeFindInClone)
BARLINT_RT_ANY(cudaGraphNodeGetType)
BARLINT_RT_ANY(cudaGraphNodeGetDependencies)
BARLINT_RT_ANY(cudaGraphNodeGetDependentNodes)
BARLINT_RT_ANY(cudaGraphNodeSetParams)
BARLINT_RT_ANY(cudaGraphNodeSetEnabled)
BARLINT_RT_ANY(cudaGraphKernelNodeGetParams)
BARLINT_RT_ANY(cudaGraphKernelNodeSetParams)
BARLINT_RT_ANY(cudaGraphKernelNodeSetAttribute)
BARLINT_RT_ANY(cudaGraphKernelNodeGetAttribute)
BARLINT_RT_ANY(cudaGraphMemcpyNodeGetParams)
BARLINT_RT_ANY(cudaGraphMemcpyNodeSetParams)
BARLINT_RT_ANY(cudaGraphMemsetNodeGetParams)
BARLINT_RT_ANY(cudaGraphMemsetNodeSetParams)
BARLINT_RT_ANY(cudaGraphHostNodeGetParams)
BARLINT_RT_ANY(cudaGraphMemAllocNodeGetParams)
BARLINT_RT_ANY(cudaGraphChildGraphNodeGetGraph)
BARLINT_RT_ANY(cudaGraphGetEdges)
BARLINT_RT_ANY(cudaGraphGetRootNodes)
BARLINT_RT_ANY(cudaGraphExecUpdate)
BARLINT_RT_ANY(cudaGraphExecKernelNodeSetParams)
BARLINT_RT_ANY(cudaGraphExecMemcpyNodeSetParams)
BARLINT_RT_ANY(cudaGraphExecMemcpyNodeSetParams1D)
BARLINT_RT_ANY(cudaGraphExecMemsetNodeSetParams)
BARLINT_RT_ANY(cudaGraphExecHostNodeSetParams)
BARLINT_RT_ANY(cudaGraphExecChildGraphNodeSetParams)
BARLINT_RT_ANY(cudaGraphExecNodeSetParams)
BARLINT_RT_ANY(cudaGraphExecGetFlags)
BARLINT_RT_ANY(cudaGraphInstantiateWithParams)
BARLINT_RT_ANY(cudaGraphDebugDotPrint)
BARLINT_RT_ANY(cudaGraphConditionalHandleCreate)
BARLINT_RT_ANY(cudaGraphRetainUserObject)
BARLINT_RT_ANY(cudaGraphReleaseUserObject)
BARLINT_RT_ANY(cudaUserObjectCreate)
BARLINT_RT_ANY(cudaUserObjectRetain)
BARLINT_RT_ANY(cudaUserObjectRelease)

BARLINT_RT_ANY(cudaLibraryLoadData)
BARLINT_RT_ANY(cudaLibraryLoadFromFile)
BARLINT_RT_ANY(cudaLibraryUnload)
BARLINT_RT_ANY(cudaLibraryGetKernel)
BARLINT_RT_ANY(cudaLibraryGetGlobal)
BARLINT_RT_ANY(cudaLibraryGetKernelCount)
BARLINT_RT_ANY(cudaLibraryEnumerateKernels)
BARLINT_RT_ANY(cudaKernelSetAttributeForDevice)
BARLINT_RT_ANY(cudaGetFuncBySymbol)
BARLINT_RT_ANY(cudaGetKernel)
BARLINT_RT_ANY(cudaFuncGetName)
BARLINT_RT_ANY(cudaFuncGetParamInfo)

BARLINT_RT_ANY(cudaImportExternalMemory)
BARLINT_RT_ANY(cudaDestroyExternalMemory)
BARLINT_RT_ANY(cudaExternalMemoryGetMappedBuffer)
BARLINT_RT_ANY(cudaExternalMemoryGetMappedMipmappedArray)
BARLINT_RT_ANY(cudaImportExternalSemaphore)
BARLINT_RT_ANY(cudaDestroyExternalSemaphore)
BARLINT_RT_ANY(cudaSignalExternalSemaphoresAsync)
BARLINT_RT_ANY(cudaWaitExternalSemaphoresAsync)

BARLINT_RT_ANY(cudaGraphicsMapResources)
BARLINT_RT_ANY(cudaGraphicsUnmapResources)
BARLINT_RT_ANY(cudaGraphicsUnregisterResource)
BARLINT_RT_ANY(cudaGraphicsResourceGetMappedPointer)
BARLINT_RT_ANY(cudaGraphicsSubResourceGetMappedArray)
BARLINT_RT_ANY(cudaGraphicsResourceSetMapFlags)

inline __host__ __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned int) {}

#endif
