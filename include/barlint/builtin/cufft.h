// cuFFT.
#ifndef BARLINT_CUFFT_H
#define BARLINT_CUFFT_H
#define _CUFFT_H_

#include "barlint_library.h"

typedef int cufftHandle;
enum cufftResult_t {
    CUFFT_SUCCESS = 0x0,
    CUFFT_INVALID_PLAN = 0x1,
    CUFFT_ALLOC_FAILED = 0x2,
    CUFFT_INVALID_TYPE = 0x3,
    CUFFT_INVALID_VALUE = 0x4,
    CUFFT_INTERNAL_ERROR = 0x5,
    CUFFT_EXEC_FAILED = 0x6,
    CUFFT_SETUP_FAILED = 0x7,
    CUFFT_INVALID_SIZE = 0x8,
    CUFFT_UNALIGNED_DATA = 0x9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 0xA, // up to CUDA 12, as the two below
    CUFFT_INVALID_DEVICE = 0xB,
    CUFFT_PARSE_ERROR = 0xC,
    CUFFT_NO_WORKSPACE = 0xD,
    CUFFT_NOT_IMPLEMENTED = 0xE,
    CUFFT_LICENSE_ERROR = 0xF,
    CUFFT_NOT_SUPPORTED = 0x10,
    CUFFT_MISSING_DEPENDENCY = 0x11,
    CUFFT_NVRTC_FAILURE = 0x12,
    CUFFT_NVJITLINK_FAILURE = 0x13,
    CUFFT_NVSHMEM_FAILURE = 0x14
};
typedef cufftResult_t cufftResult;
enum cufftType {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
};
#define CUFFT_VERSION 12000
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
BARLINT_CALL(cufftResult_t, cufftCreate)
BARLINT_CALL(cufftResult_t, cufftDestroy)
BARLINT_CALL(cufftResult_t, cufftPlan1d)
BARLINT_CALL(cufftResult_t, cufftPlan2d)
BARLINT_CALL(cufftResult_t, cufftPlan3d)
BARLINT_CALL(cufftResult_t, cufftPlanMany)
BARLINT_CALL(cufftResult_t, cufftMakePlan1d)
BARLINT_CALL(cufftResult_t, cufftMakePlan2d)
BARLINT_CALL(cufftResult_t, cufftMakePlanMany)
BARLINT_CALL(cufftResult_t, cufftSetStream)
BARLINT_CALL(cufftResult_t, cufftSetAutoAllocation)
BARLINT_CALL(cufftResult_t, cufftSetWorkArea)
BARLINT_CALL(cufftResult_t, cufftExecC2C)
BARLINT_CALL(cufftResult_t, cufftExecR2C)
BARLINT_CALL(cufftResult_t, cufftExecC2R)
BARLINT_CALL(cufftResult_t, cufftExecZ2Z)
BARLINT_CALL(cufftResult_t, cufftExecD2Z)
BARLINT_CALL(cufftResult_t, cufftExecZ2D)

BARLINT_CALL(cufftResult_t, cufftEstimate1d)
BARLINT_CALL(cufftResult_t, cufftEstimate2d)
BARLINT_CALL(cufftResult_t, cufftEstimate3d)
BARLINT_CALL(cufftResult_t, cufftEstimateMany)
BARLINT_CALL(cufftResult_t, cufftGetPlanPropertyInt64)
BARLINT_CALL(cufftResult_t, cufftGetProperty)
BARLINT_CALL(cufftResult_t, cufftGetSize)
BARLINT_CALL(cufftResult_t, cufftGetSize1d)
BARLINT_CALL(cufftResult_t, cufftGetSize2d)
BARLINT_CALL(cufftResult_t, cufftGetSize3d)
BARLINT_CALL(cufftResult_t, cufftGetSizeMany)
BARLINT_CALL(cufftResult_t, cufftGetSizeMany64)
BARLINT_CALL(cufftResult_t, cufftGetVersion)
BARLINT_CALL(cufftResult_t, cufftMakePlan3d)
BARLINT_CALL(cufftResult_t, cufftMakePlanMany64)
BARLINT_CALL(cufftResult_t, cufftResetPlanProperty)
BARLINT_CALL(cufftResult_t, cufftSetPlanPropertyInt64)
BARLINT_CALL(cufftResult_t, cufftXtClearCallback)
BARLINT_CALL(cufftResult_t, cufftXtExec)
BARLINT_CALL(cufftResult_t, cufftXtExecDescriptor)
BARLINT_CALL(cufftResult_t, cufftXtExecDescriptorC2C)
BARLINT_CALL(cufftResult_t, cufftXtExecDescriptorC2R)
BARLINT_CALL(cufftResult_t, cufftXtExecDescriptorD2Z)
BARLINT_CALL(cufftResult_t, cufftXtExecDescriptorR2C)
BARLINT_CALL(cufftResult_t, cufftXtExecDescriptorZ2D)
BARLINT_CALL(cufftResult_t, cufftXtExecDescriptorZ2Z)
BARLINT_CALL(cufftResult_t, cufftXtFree)
BARLINT_CALL(cufftResult_t, cufftXtGetSizeMany)
BARLINT_CALL(cufftResult_t, cufftXtMakePlanMany)
BARLINT_CALL(cufftResult_t, cufftXtMalloc)
BARLINT_CALL(cufftResult_t, cufftXtMemcpy)
BARLINT_CALL(cufftResult_t, cufftXtQueryPlan)
BARLINT_CALL(cufftResult_t, cufftXtSetCallback)
BARLINT_CALL(cufftResult_t, cufftXtSetCallbackSharedSize)
BARLINT_CALL(cufftResult_t, cufftXtSetGPUs)
BARLINT_CALL(cufftResult_t, cufftXtSetJITCallback)
BARLINT_CALL(cufftResult_t, cufftXtSetWorkArea)
BARLINT_CALL(cufftResult_t, cufftXtSetWorkAreaPolicy)

// Callbacks of cufftXt.h.
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX,
    CUFFT_CB_LD_COMPLEX_DOUBLE,
    CUFFT_CB_LD_REAL,
    CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX,
    CUFFT_CB_ST_COMPLEX_DOUBLE,
    CUFFT_CB_ST_REAL,
    CUFFT_CB_ST_REAL_DOUBLE,
    CUFFT_CB_UNDEFINED
} cufftXtCallbackType;
#define BARLINT_CUFFT_CALLBACK(T, letter)                                                          \
    typedef T (*cufftCallbackLoad##letter)(void *data, size_t offset, void *info, void *shared);   \
    typedef void (*cufftCallbackStore##letter)(void *data, size_t offset, T value, void *info,     \
                                               void *shared);
BARLINT_CUFFT_CALLBACK(cufftComplex, C)
BARLINT_CUFFT_CALLBACK(cufftDoubleComplex, Z)
BARLINT_CUFFT_CALLBACK(cufftReal, R)
BARLINT_CUFFT_CALLBACK(cufftDoubleReal, D)

#endif
