// Compilation at run time.
#ifndef BARLINT_NVRTC_H
#define BARLINT_NVRTC_H
#define __NVRTC_H__

#include "barlint_library.h"

typedef struct _nvrtcProgram *nvrtcProgram;
typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;
BARLINT_CALL(nvrtcResult, nvrtcAddNameExpression)
BARLINT_CALL(nvrtcResult, nvrtcCompileProgram)
BARLINT_CALL(nvrtcResult, nvrtcCreateProgram)
BARLINT_CALL(nvrtcResult, nvrtcDestroyProgram)
BARLINT_CALL(nvrtcResult, nvrtcGetCUBIN)
BARLINT_CALL(nvrtcResult, nvrtcGetCUBINSize)
BARLINT_CALL(nvrtcResult, nvrtcGetLTOIR)
BARLINT_CALL(nvrtcResult, nvrtcGetLTOIRSize)
BARLINT_CALL(nvrtcResult, nvrtcGetLoweredName)
BARLINT_CALL(nvrtcResult, nvrtcGetNumSupportedArchs)
BARLINT_CALL(nvrtcResult, nvrtcGetOptiXIR)
BARLINT_CALL(nvrtcResult, nvrtcGetOptiXIRSize)
BARLINT_CALL(nvrtcResult, nvrtcGetPCHCreateStatus)
BARLINT_CALL(nvrtcResult, nvrtcGetPCHHeapSize)
BARLINT_CALL(nvrtcResult, nvrtcGetPCHHeapSizeRequired)
BARLINT_CALL(nvrtcResult, nvrtcGetPTX)
BARLINT_CALL(nvrtcResult, nvrtcGetPTXSize)
BARLINT_CALL(nvrtcResult, nvrtcGetProgramLog)
BARLINT_CALL(nvrtcResult, nvrtcGetProgramLogSize)
BARLINT_CALL(nvrtcResult, nvrtcGetSupportedArchs)
BARLINT_CALL(nvrtcResult, nvrtcGetTypeName)
BARLINT_CALL(nvrtcResult, nvrtcSetFlowCallback)
BARLINT_CALL(nvrtcResult, nvrtcSetPCHHeapSize)
BARLINT_CALL(nvrtcResult, nvrtcVersion)
inline const char *nvrtcGetErrorString(nvrtcResult) { return ""; }

#endif
