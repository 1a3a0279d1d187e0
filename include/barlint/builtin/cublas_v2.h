// cuBLAS.
#ifndef BARLINT_CUBLAS_H
#define BARLINT_CUBLAS_H
#define CUBLAS_API_H_

#include "barlint_library.h"

typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
typedef cudaDataType cublasDataType_t;
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH,
    CUBLAS_TENSOR_OP_MATH,
    CUBLAS_PEDANTIC_MATH,
    CUBLAS_TF32_TENSOR_OP_MATH
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
BARLINT_CALL(cublasStatus_t, cublasCreate_v2)
BARLINT_CALL(cublasStatus_t, cublasDestroy_v2)
BARLINT_CALL(cublasStatus_t, cublasSetStream_v2)
BARLINT_CALL(cublasStatus_t, cublasSetMathMode)
BARLINT_CALL(cublasStatus_t, cublasSetWorkspace)
BARLINT_CALL(cublasStatus_t, cublasSetPointerMode)
BARLINT_CALL(cublasStatus_t, cublasSetVector)
BARLINT_CALL(cublasStatus_t, cublasGetVector)
BARLINT_CALL(cublasStatus_t, cublasSetMatrix)
BARLINT_CALL(cublasStatus_t, cublasGetMatrix)
BARLINT_CALL(cublasStatus_t, cublasGemmEx)
BARLINT_CALL(cublasStatus_t, cublasGemmStridedBatchedEx)
BARLINT_CALL(cublasStatus_t, cublasGemmBatchedEx)
BARLINT_CALL(cublasStatus_t, cublasHgemm)
BARLINT_CALL(cublasStatus_t, cublasHgemmStridedBatched)
BARLINT_CALL(cublasStatus_t, cublasSgemm)
BARLINT_CALL(cublasStatus_t, cublasSgemmBatched)
BARLINT_CALL(cublasStatus_t, cublasSgemmStridedBatched)
BARLINT_CALL(cublasStatus_t, cublasSgemv)
BARLINT_CALL(cublasStatus_t, cublasSaxpy)
BARLINT_CALL(cublasStatus_t, cublasSdot)
BARLINT_CALL(cublasStatus_t, cublasSnrm2)
BARLINT_CALL(cublasStatus_t, cublasSscal)
BARLINT_CALL(cublasStatus_t, cublasScopy)
BARLINT_CALL(cublasStatus_t, cublasSswap)
BARLINT_CALL(cublasStatus_t, cublasSasum)
BARLINT_CALL(cublasStatus_t, cublasStrsm)
BARLINT_CALL(cublasStatus_t, cublasSger)
BARLINT_CALL(cublasStatus_t, cublasSgeam)
BARLINT_CALL(cublasStatus_t, cublasSsyrk)
BARLINT_CALL(cublasStatus_t, cublasDgemm)
BARLINT_CALL(cublasStatus_t, cublasDgemmBatched)
BARLINT_CALL(cublasStatus_t, cublasDgemmStridedBatched)
BARLINT_CALL(cublasStatus_t, cublasDgemv)
BARLINT_CALL(cublasStatus_t, cublasDaxpy)
BARLINT_CALL(cublasStatus_t, cublasDdot)
BARLINT_CALL(cublasStatus_t, cublasDnrm2)
BARLINT_CALL(cublasStatus_t, cublasDscal)
BARLINT_CALL(cublasStatus_t, cublasDcopy)
BARLINT_CALL(cublasStatus_t, cublasDswap)
BARLINT_CALL(cublasStatus_t, cublasDasum)
BARLINT_CALL(cublasStatus_t, cublasDtrsm)
BARLINT_CALL(cublasStatus_t, cublasDger)
BARLINT_CALL(cublasStatus_t, cublasDgeam)
BARLINT_CALL(cublasStatus_t, cublasDsyrk)
BARLINT_CALL(cublasStatus_t, cublasCgemm)
BARLINT_CALL(cublasStatus_t, cublasCgemmBatched)
BARLINT_CALL(cublasStatus_t, cublasCgemmStridedBatched)
BARLINT_CALL(cublasStatus_t, cublasCgemv)
BARLINT_CALL(cublasStatus_t, cublasCaxpy)
BARLINT_CALL(cublasStatus_t, cublasCdot)
BARLINT_CALL(cublasStatus_t, cublasCnrm2)
BARLINT_CALL(cublasStatus_t, cublasCscal)
BARLINT_CALL(cublasStatus_t, cublasCcopy)
BARLINT_CALL(cublasStatus_t, cublasCswap)
BARLINT_CALL(cublasStatus_t, cublasCasum)
BARLINT_CALL(cublasStatus_t, cublasCtrsm)
BARLINT_CALL(cublasStatus_t, cublasCger)
BARLINT_CALL(cublasStatus_t, cublasCgeam)
BARLINT_CALL(cublasStatus_t, cublasCsyrk)
BARLINT_CALL(cublasStatus_t, cublasZgemm)
BARLINT_CALL(cublasStatus_t, cublasZgemmBatched)
BARLINT_CALL(cublasStatus_t, cublasZgemmStridedBatched)
BARLINT_CALL(cublasStatus_t, cublasZgemv)
BARLINT_CALL(cublasStatus_t, cublasZaxpy)
BARLINT_CALL(cublasStatus_t, cublasZdot)
BARLINT_CALL(cublasStatus_t, cublasZnrm2)
BARLINT_CALL(cublasStatus_t, cublasZscal)
BARLINT_CALL(cublasStatus_t, cublasZcopy)
BARLINT_CALL(cublasStatus_t, cublasZswap)
BARLINT_CALL(cublasStatus_t, cublasZasum)
BARLINT_CALL(cublasStatus_t, cublasZtrsm)
BARLINT_CALL(cublasStatus_t, cublasZger)
BARLINT_CALL(cublasStatus_t, cublasZgeam)
BARLINT_CALL(cublasStatus_t, cublasZsyrk)
BARLINT_CALL(cublasStatus_t, cublasIsamax)
BARLINT_CALL(cublasStatus_t, cublasIdamax)
BARLINT_CALL(cublasStatus_t, cublasDotEx)
BARLINT_CALL(cublasStatus_t, cublasAxpyEx)
BARLINT_CALL(cublasStatus_t, cublasScalEx)
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
inline const char *cublasGetStatusString(cublasStatus_t) { return ""; }

#endif
