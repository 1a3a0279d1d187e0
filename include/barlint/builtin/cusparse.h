// cuSPARSE.
#ifndef BARLINT_CUSPARSE_H
#define BARLINT_CUSPARSE_H
#define CUSPARSEAPI

#include "barlint_library.h"

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
enum cusparseStatus_t { CUSPARSE_STATUS_SUCCESS = 0 };
enum cusparseOperation_t {
    CUSPARSE_OPERATION_NON_TRANSPOSE,
    CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
};
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparseMatrixType_t { CUSPARSE_MATRIX_TYPE_GENERAL };
enum cusparseSpMVAlg_t { CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_CSR_ALG1 = 2 };
enum cusparseSpMMAlg_t { CUSPARSE_SPMM_ALG_DEFAULT };
BARLINT_CALL(cusparseStatus_t, cusparseCreate)
BARLINT_CALL(cusparseStatus_t, cusparseDestroy)
BARLINT_CALL(cusparseStatus_t, cusparseSetStream)
BARLINT_CALL(cusparseStatus_t, cusparseCreateMatDescr)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyMatDescr)
BARLINT_CALL(cusparseStatus_t, cusparseSetMatType)
BARLINT_CALL(cusparseStatus_t, cusparseSetMatIndexBase)
BARLINT_CALL(cusparseStatus_t, cusparseCreateCsr)
BARLINT_CALL(cusparseStatus_t, cusparseCreateCoo)
BARLINT_CALL(cusparseStatus_t, cusparseCreateDnVec)
BARLINT_CALL(cusparseStatus_t, cusparseCreateDnMat)
BARLINT_CALL(cusparseStatus_t, cusparseDestroySpMat)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyDnVec)
BARLINT_CALL(cusparseStatus_t, cusparseDestroyDnMat)
BARLINT_CALL(cusparseStatus_t, cusparseSpMV)
BARLINT_CALL(cusparseStatus_t, cusparseSpMV_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseSpMM)
BARLINT_CALL(cusparseStatus_t, cusparseSpMM_bufferSize)
BARLINT_CALL(cusparseStatus_t, cusparseScsrmv)
BARLINT_CALL(cusparseStatus_t, cusparseDcsrmv)

#endif
