// NCCL: calls of the host.
#ifndef BARLINT_NCCL_H
#define BARLINT_NCCL_H
#define NCCL_H_

#include "barlint_library.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 0
#define NCCL_VERSION_CODE 22800
#define NCCL_VERSION(X, Y, Z) ((X)*10000 + (Y)*100 + (Z))
#define NCCL_UNIQUE_ID_BYTES 128
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_WIN_DEFAULT 0
#define NCCL_WIN_COLL_SYMMETRIC 1
#define NCCL_CONFIG_INITIALIZER                                                                    \
    {}

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow_vidmem *ncclWindow_t;
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;
typedef struct {
    int blocking, cgaClusterSize, minCTAs, maxCTAs;
    const char *netName;
    int splitShare, trafficClass;
    const char *commName;
    int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs;
} ncclConfig_t;
typedef enum {
    ncclSuccess,
    ncclUnhandledCudaError,
    ncclSystemError,
    ncclInternalError,
    ncclInvalidArgument,
    ncclInvalidUsage,
    ncclRemoteError,
    ncclInProgress,
    ncclNumResults
} ncclResult_t;
typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps } ncclRedOp_t;
typedef enum { ncclScalarDevice, ncclScalarHostImmediate } ncclScalarResidence_t;
typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12
} ncclDataType_t;
BARLINT_CALL(ncclResult_t, ncclAllGather)
BARLINT_CALL(ncclResult_t, ncclAllReduce)
BARLINT_CALL(ncclResult_t, ncclAlltoAll)
BARLINT_CALL(ncclResult_t, ncclBcast)
BARLINT_CALL(ncclResult_t, ncclBroadcast)
BARLINT_CALL(ncclResult_t, ncclCommAbort)
BARLINT_CALL(ncclResult_t, ncclCommCount)
BARLINT_CALL(ncclResult_t, ncclCommCuDevice)
BARLINT_CALL(ncclResult_t, ncclCommDeregister)
BARLINT_CALL(ncclResult_t, ncclCommDestroy)
BARLINT_CALL(ncclResult_t, ncclCommFinalize)
BARLINT_CALL(ncclResult_t, ncclCommGetAsyncError)
BARLINT_CALL(ncclResult_t, ncclCommInitAll)
BARLINT_CALL(ncclResult_t, ncclCommInitRank)
BARLINT_CALL(ncclResult_t, ncclCommInitRankConfig)
BARLINT_CALL(ncclResult_t, ncclCommInitRankScalable)
BARLINT_CALL(ncclResult_t, ncclCommRegister)
BARLINT_CALL(ncclResult_t, ncclCommRevoke)
BARLINT_CALL(ncclResult_t, ncclCommShrink)
BARLINT_CALL(ncclResult_t, ncclCommSplit)
BARLINT_CALL(ncclResult_t, ncclCommUserRank)
BARLINT_CALL(ncclResult_t, ncclCommWindowDeregister)
BARLINT_CALL(ncclResult_t, ncclCommWindowRegister)
BARLINT_CALL(ncclResult_t, ncclGather)
BARLINT_CALL(ncclResult_t, ncclGetUniqueId)
BARLINT_CALL(ncclResult_t, ncclGetVersion)
BARLINT_CALL(ncclResult_t, ncclGroupEnd)
BARLINT_CALL(ncclResult_t, ncclGroupSimulateEnd)
BARLINT_CALL(ncclResult_t, ncclGroupStart)
BARLINT_CALL(ncclResult_t, ncclMemAlloc)
BARLINT_CALL(ncclResult_t, ncclMemFree)
BARLINT_CALL(ncclResult_t, ncclRecv)
BARLINT_CALL(ncclResult_t, ncclRedOpCreatePreMulSum)
BARLINT_CALL(ncclResult_t, ncclRedOpDestroy)
BARLINT_CALL(ncclResult_t, ncclReduce)
BARLINT_CALL(ncclResult_t, ncclReduceScatter)
BARLINT_CALL(ncclResult_t, ncclScatter)
BARLINT_CALL(ncclResult_t, ncclSend)
inline const char *ncclGetErrorString(ncclResult_t) { return ""; }
inline const char *ncclGetLastError(ncclComm_t) { return ""; }

#endif
