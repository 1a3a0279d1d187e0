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
enum cublasOperation_t {
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_OP_C,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG
};
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VERSION 130000
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
};
enum cublasGemmAlgo_t {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8,
    CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10,
    CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13,
    CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16,
    CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19,
    CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
    CUBLAS_GEMM_AUTOTUNE = 999
};
BARLINT_SDCZ(cublasStatus_t, cublas, axpy)
BARLINT_SDCZ(cublasStatus_t, cublas, copy)
BARLINT_SDCZ(cublasStatus_t, cublas, dgmm)
BARLINT_SDCZ(cublasStatus_t, cublas, geam)
BARLINT_SDCZ(cublasStatus_t, cublas, gelsBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, gemm)
BARLINT_SDCZ(cublasStatus_t, cublas, gemmBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, gemmStridedBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, gemv)
BARLINT_SDCZ(cublasStatus_t, cublas, gemvStridedBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, getrfBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, getriBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, getrsBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, scal)
BARLINT_SDCZ(cublasStatus_t, cublas, swap)
BARLINT_SDCZ(cublasStatus_t, cublas, symm)
BARLINT_SDCZ(cublasStatus_t, cublas, syr2k)
BARLINT_SDCZ(cublasStatus_t, cublas, syrk)
BARLINT_SDCZ(cublasStatus_t, cublas, tpttr)
BARLINT_SDCZ(cublasStatus_t, cublas, trmm)
BARLINT_SDCZ(cublasStatus_t, cublas, trsm)
BARLINT_SDCZ(cublasStatus_t, cublas, trsmBatched)
BARLINT_SDCZ(cublasStatus_t, cublas, trsv)
BARLINT_SDCZ(cublasStatus_t, cublas, trttp)
BARLINT_SD(cublasStatus_t, cublas, asum)
BARLINT_SD(cublasStatus_t, cublas, dot)
BARLINT_SD(cublasStatus_t, cublas, ger)
BARLINT_SD(cublasStatus_t, cublas, nrm2)
BARLINT_SD(cublasStatus_t, cublas, sbmv)
BARLINT_CZ(cublasStatus_t, cublas, dotc)
BARLINT_CZ(cublasStatus_t, cublas, dotu)
BARLINT_CZ(cublasStatus_t, cublas, gemm3m)
BARLINT_CZ(cublasStatus_t, cublas, gerc)
BARLINT_CZ(cublasStatus_t, cublas, geru)
BARLINT_CZ(cublasStatus_t, cublas, hemm)
BARLINT_CZ(cublasStatus_t, cublas, her2k)
BARLINT_CZ(cublasStatus_t, cublas, herk)
BARLINT_CALL(cublasStatus_t, cublasAxpyEx)
BARLINT_CALL(cublasStatus_t, cublasCgemm3mStridedBatched)
BARLINT_CALL(cublasStatus_t, cublasCgemmEx)
BARLINT_CALL(cublasStatus_t, cublasCherk3mEx)
BARLINT_CALL(cublasStatus_t, cublasCsscal)
BARLINT_CALL(cublasStatus_t, cublasDotEx)
BARLINT_CALL(cublasStatus_t, cublasDzasum)
BARLINT_CALL(cublasStatus_t, cublasDznrm2)
BARLINT_CALL(cublasStatus_t, cublasGemmBatchedEx)
BARLINT_CALL(cublasStatus_t, cublasGemmEx)
BARLINT_CALL(cublasStatus_t, cublasGemmGroupedBatchedEx)
BARLINT_CALL(cublasStatus_t, cublasGemmStridedBatchedEx)
BARLINT_CALL(cublasStatus_t, cublasGetMathMode)
BARLINT_CALL(cublasStatus_t, cublasGetMatrix)
BARLINT_CALL(cublasStatus_t, cublasGetMatrixAsync)
BARLINT_CALL(cublasStatus_t, cublasGetPointerMode)
BARLINT_CALL(cublasStatus_t, cublasGetProperty)
BARLINT_CALL(cublasStatus_t, cublasGetVector)
BARLINT_CALL(cublasStatus_t, cublasGetVectorAsync)
BARLINT_CALL(cublasStatus_t, cublasGetVersion)
BARLINT_CALL(cublasStatus_t, cublasHgemm)
BARLINT_CALL(cublasStatus_t, cublasHgemmBatched)
BARLINT_CALL(cublasStatus_t, cublasHgemmStridedBatched)
BARLINT_CALL(cublasStatus_t, cublasIcamax)
BARLINT_CALL(cublasStatus_t, cublasIcamin)
BARLINT_CALL(cublasStatus_t, cublasIdamax)
BARLINT_CALL(cublasStatus_t, cublasIdamin)
BARLINT_CALL(cublasStatus_t, cublasIsamax)
BARLINT_CALL(cublasStatus_t, cublasIsamin)
BARLINT_CALL(cublasStatus_t, cublasIzamax)
BARLINT_CALL(cublasStatus_t, cublasIzamin)
BARLINT_CALL(cublasStatus_t, cublasLoggerConfigure)
BARLINT_CALL(cublasStatus_t, cublasScalEx)
BARLINT_CALL(cublasStatus_t, cublasScasum)
BARLINT_CALL(cublasStatus_t, cublasScnrm2)
BARLINT_CALL(cublasStatus_t, cublasSetMathMode)
BARLINT_CALL(cublasStatus_t, cublasSetMatrix)
BARLINT_CALL(cublasStatus_t, cublasSetMatrixAsync)
BARLINT_CALL(cublasStatus_t, cublasSetPointerMode)
BARLINT_CALL(cublasStatus_t, cublasSetVector)
BARLINT_CALL(cublasStatus_t, cublasSetWorkspace)
BARLINT_CALL(cublasStatus_t, cublasSgemmEx)
BARLINT_CALL(cublasStatus_t, cublasZdscal)
BARLINT_CALL(cublasStatus_t, cublasCreate_v2)
BARLINT_CALL(cublasStatus_t, cublasDestroy_v2)
BARLINT_CALL(cublasStatus_t, cublasSetStream_v2)
BARLINT_CALL(cublasStatus_t, cublasGetStream_v2)
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
BARLINT_SD(cublasStatus_t, cublas, axpy_v2)
BARLINT_SD(cublasStatus_t, cublas, scal_v2)
BARLINT_SD(cublasStatus_t, cublas, dot_v2)
BARLINT_SD(cublasStatus_t, cublas, nrm2_v2)
BARLINT_SD(cublasStatus_t, cublas, gemm_v2)
BARLINT_SD(cublasStatus_t, cublas, gemv_v2)
BARLINT_SD(cublasStatus_t, cublas, ger_v2)
BARLINT_SD(cublasStatus_t, cublas, syrk_v2)
BARLINT_SD(cublasStatus_t, cublas, trsm_v2)
BARLINT_SD(cublasStatus_t, cublas, asum_v2)
BARLINT_SD(cublasStatus_t, cublas, copy_v2)
BARLINT_SD(cublasStatus_t, cublas, spr_v2)
BARLINT_SD(cublasStatus_t, cublas, spmv_v2)
BARLINT_SD(cublasStatus_t, cublas, tpmv_v2)
inline const char *cublasGetStatusName(cublasStatus_t) { return ""; }
inline size_t cublasGetCudartVersion() { return 13000; }
inline const char *cublasGetStatusString(cublasStatus_t) { return ""; }

#endif
