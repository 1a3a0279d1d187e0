// cuSPARSE.
#ifndef BARLINT_CUSPARSE_H
#define BARLINT_CUSPARSE_H
#define CUSPARSEAPI

#include "barlint_library.h"

#define CUSPARSE_VERSION 12600
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;
typedef struct bsrilu02Info *bsrilu02Info_t;
typedef struct bsric02Info *bsric02Info_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
    CUSPARSE_POINTER_MODE_HOST = 0,
    CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1,
    CUSPARSE_FORMAT_CSC = 2,
    CUSPARSE_FORMAT_COO = 3,
    CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR = 6,
    CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
    CUSPARSE_INDEX_16U = 1,
    CUSPARSE_INDEX_32I = 2,
    CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_COO_ALG2 = 4,
    CUSPARSE_SPMV_SELL_ALG1 = 5,
    CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12,
    CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
    CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL
} cusparseSolvePolicy_t;
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsric02)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsric02_analysis)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsric02_bufferSize)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrilu02)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrilu02_analysis)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrilu02_bufferSize)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrilu02_numericBoost)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrmm)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrmv)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrsm2_analysis)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrsm2_bufferSize)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrsm2_solve)
BARLINT_SDCZ(cusparseStatus_t, cusparse, bsrxmv)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csr2csr_compress)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csrgeam2)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csrgeam2_bufferSizeExt)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csric02)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csric02_analysis)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csric02_bufferSize)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csrilu02)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csrilu02_analysis)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csrilu02_bufferSize)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csrilu02_numericBoost)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gebsr2gebsc)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gebsr2gebsc_bufferSize)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gpsvInterleavedBatch)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gpsvInterleavedBatch_bufferSizeExt)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsv2)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsv2StridedBatch)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsv2StridedBatch_bufferSizeExt)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsv2_bufferSizeExt)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsv2_nopivot)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsv2_nopivot_bufferSizeExt)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsvInterleavedBatch)
BARLINT_SDCZ(cusparseStatus_t, cusparse, gtsvInterleavedBatch_bufferSizeExt)
BARLINT_SDCZ(cusparseStatus_t, cusparse, nnz)
BARLINT_SDCZ(cusparseStatus_t, cusparse, nnz_compress)
BARLINT_CALL(cusparseStatus_t, cusparseAxpby)
BARLINT_CALL(cusparseStatus_t, cusparseCooGet)
BARLINT_CALL(cusparseStatus_t, cusparseCreate)
BARLINT_CALL(cusparseStatus_t, cusparseCreateBsric02Info)
BARLINT_CALL(cusparseStatus_t, cusparseCreateBsrilu02Info)
BARLINT_CALL(cusparseStatus_t, cusparseCreateBsrsm2Info)
BARLINT_CALL(cusparseStatus_t, cusparseCreateCoo)
BARLINT_CALL(cusparseStatus_t, cusparseCreateCsc)
BARLINT_CALL(cusparseStatus_t, cusparseCreateCsr)
BARLINT_CALL(cusparseStatus_t, cusparseCreateCsric02Info)
BARLINT_CALL(cusparseStatus_t, cusparseCreateCsrilu02Info)
BARLINT_CALL(cusparseStatus_t, cusparseCreateDnMat)
BARLINT_CALL(cusparseStatus_t, cusparseCreateDnVec)
BARLINT_CALL(cusparseStatus_t, cusparseCreateIdentityPermutation)
BARLINT_CALL(cusparseStatus_t, cusparseCreateMatDescr)
BARLINT_CALL(cusparseStatus_t, cusparseCreateSpVec)
BARLINT_CALL(cusparseStatus_t, cusparseCscSetPointers)
BARLINT_CALL(cusparseStatus_t, cusparseCsr2cscEx2)
BARLINT_CALL(cusparseStatus_t, cusparseCsr2cscEx2_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseCsrGet)
BARLINT_CALL(cusparseStatus_t, cusparseCsrSetPointers)
BARLINT_CALL(cusparseStatus_t, cusparseCsrSetStridedBatch)
BARLINT_CALL(cusparseStatus_t, cusparseDenseToSparse_analysis)
BARLINT_CALL(cusparseStatus_t, cusparseDenseToSparse_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseDenseToSparse_convert)
BARLINT_CALL(cusparseStatus_t, cusparseDestroy)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyBsric02Info)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyBsrilu02Info)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyBsrsm2Info)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyCsric02Info)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyCsrilu02Info)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyDnMat)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyDnVec)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyMatDescr)
BARLINT_CALL(cusparseStatus_t, cusparseDestroySpMat)
BARLINT_CALL(cusparseStatus_t, cusparseDestroySpVec)
BARLINT_CALL(cusparseStatus_t, cusparseDnMatGet)
BARLINT_CALL(cusparseStatus_t, cusparseDnMatGetStridedBatch)
BARLINT_CALL(cusparseStatus_t, cusparseDnMatGetValues)
BARLINT_CALL(cusparseStatus_t, cusparseDnMatSetStridedBatch)
BARLINT_CALL(cusparseStatus_t, cusparseDnMatSetValues)
BARLINT_CALL(cusparseStatus_t, cusparseDnVecGet)
BARLINT_CALL(cusparseStatus_t, cusparseDnVecGetValues)
BARLINT_CALL(cusparseStatus_t, cusparseDnVecSetValues)
BARLINT_CALL(cusparseStatus_t, cusparseGather)
BARLINT_CALL(cusparseStatus_t, cusparseGetProperty)
BARLINT_CALL(cusparseStatus_t, cusparseGetStream)
BARLINT_CALL(cusparseStatus_t, cusparseGetVersion)
BARLINT_CALL(cusparseStatus_t, cusparseSDDMM)
BARLINT_CALL(cusparseStatus_t, cusparseSDDMM_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseSDDMM_preprocess)
BARLINT_CALL(cusparseStatus_t, cusparseScatter)
BARLINT_CALL(cusparseStatus_t, cusparseSetMatDiagType)
BARLINT_CALL(cusparseStatus_t, cusparseSetMatFillMode)
BARLINT_CALL(cusparseStatus_t, cusparseSetMatIndexBase)
BARLINT_CALL(cusparseStatus_t, cusparseSetMatType)
BARLINT_CALL(cusparseStatus_t, cusparseSetPointerMode)
BARLINT_CALL(cusparseStatus_t, cusparseSetStream)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMM_compute)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMM_copy)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMM_createDescr)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMM_destroyDescr)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMM_estimateMemory)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMM_getNumProducts)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMM_workEstimation)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMMreuse_compute)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMMreuse_copy)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMMreuse_nnz)
BARLINT_CALL(cusparseStatus_t, cusparseSpGEMMreuse_workEstimation)
BARLINT_CALL(cusparseStatus_t, cusparseSpMM)
BARLINT_CALL(cusparseStatus_t, cusparseSpMM_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseSpMV)
BARLINT_CALL(cusparseStatus_t, cusparseSpMV_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseSpMV_preprocess)
BARLINT_CALL(cusparseStatus_t, cusparseSpMatGetFormat)
BARLINT_CALL(cusparseStatus_t, cusparseSpMatGetIndexBase)
BARLINT_CALL(cusparseStatus_t, cusparseSpMatGetSize)
BARLINT_CALL(cusparseStatus_t, cusparseSpMatGetStridedBatch)
BARLINT_CALL(cusparseStatus_t, cusparseSpMatGetValues)
BARLINT_CALL(cusparseStatus_t, cusparseSpMatSetAttribute)
BARLINT_CALL(cusparseStatus_t, cusparseSpMatSetValues)
BARLINT_CALL(cusparseStatus_t, cusparseSpSM_analysis)
BARLINT_CALL(cusparseStatus_t, cusparseSpSM_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseSpSM_createDescr)
BARLINT_CALL(cusparseStatus_t, cusparseSpSM_destroyDescr)
BARLINT_CALL(cusparseStatus_t, cusparseSpSM_solve)
BARLINT_CALL(cusparseStatus_t, cusparseSpSV_analysis)
BARLINT_CALL(cusparseStatus_t, cusparseSpSV_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseSpSV_createDescr)
BARLINT_CALL(cusparseStatus_t, cusparseSpSV_destroyDescr)
BARLINT_CALL(cusparseStatus_t, cusparseSpSV_solve)
BARLINT_CALL(cusparseStatus_t, cusparseSpVV)
BARLINT_CALL(cusparseStatus_t, cusparseSpVV_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseSpVecGet)
BARLINT_CALL(cusparseStatus_t, cusparseSpVecGetIndexBase)
BARLINT_CALL(cusparseStatus_t, cusparseSpVecGetValues)
BARLINT_CALL(cusparseStatus_t, cusparseSpVecSetValues)
BARLINT_CALL(cusparseStatus_t, cusparseSparseToDense)
BARLINT_CALL(cusparseStatus_t, cusparseSparseToDense_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseXbsric02_zeroPivot)
BARLINT_CALL(cusparseStatus_t, cusparseXbsrilu02_zeroPivot)
BARLINT_CALL(cusparseStatus_t, cusparseXcoo2csr)
BARLINT_CALL(cusparseStatus_t, cusparseXcoosortByColumn)
BARLINT_CALL(cusparseStatus_t, cusparseXcoosortByRow)
BARLINT_CALL(cusparseStatus_t, cusparseXcoosort_bufferSizeExt)
BARLINT_CALL(cusparseStatus_t, cusparseXcscsort)
BARLINT_CALL(cusparseStatus_t, cusparseXcscsort_bufferSizeExt)
BARLINT_CALL(cusparseStatus_t, cusparseXcsr2coo)
BARLINT_CALL(cusparseStatus_t, cusparseXcsrgeam2Nnz)
BARLINT_CALL(cusparseStatus_t, cusparseXcsric02_zeroPivot)
BARLINT_CALL(cusparseStatus_t, cusparseXcsrilu02_zeroPivot)
BARLINT_CALL(cusparseStatus_t, cusparseXcsrsort)
BARLINT_CALL(cusparseStatus_t, cusparseXcsrsort_bufferSizeExt)
BARLINT_SDCZ(cusparseStatus_t, cusparse, csrmv)
inline const char *cusparseGetErrorName(cusparseStatus_t) { return ""; }
inline const char *cusparseGetErrorString(cusparseStatus_t) { return ""; }
inline cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t) {
    return CUSPARSE_MATRIX_TYPE_GENERAL;
}
inline cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t) {
    return CUSPARSE_FILL_MODE_LOWER;
}
inline cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t) {
    return CUSPARSE_DIAG_TYPE_NON_UNIT;
}
inline cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t) {
    return CUSPARSE_INDEX_BASE_ZERO;
}

#endif
