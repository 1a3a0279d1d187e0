// cuBLASLt.
#ifndef BARLINT_CUBLASLT_H
#define BARLINT_CUBLASLT_H

#include "barlint_library.h"

#include "cublas_v2.h"
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDesc *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayout *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreference *cublasLtMatmulPreference_t;
struct cublasLtMatmulAlgo_t {
    unsigned long long data[8];
};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
};
enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
};
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };
enum cublasLtEpilogue_t { CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_BIAS = 4 };
BARLINT_CALL(cublasStatus_t, cublasLtCreate)
BARLINT_CALL(cublasStatus_t, cublasLtDestroy)
BARLINT_CALL(cublasStatus_t, cublasLtMatmul)
BARLINT_CALL(cublasStatus_t, cublasLtMatmulDescCreate)
BARLINT_CALL(cublasStatus_t, cublasLtMatmulDescDestroy)
BARLINT_CALL(cublasStatus_t, cublasLtMatmulDescSetAttribute)
BARLINT_CALL(cublasStatus_t, cublasLtMatrixLayoutCreate)
BARLINT_CALL(cublasStatus_t, cublasLtMatrixLayoutDestroy)
BARLINT_CALL(cublasStatus_t, cublasLtMatrixLayoutSetAttribute)
BARLINT_CALL(cublasStatus_t, cublasLtMatmulPreferenceCreate)
BARLINT_CALL(cublasStatus_t, cublasLtMatmulPreferenceDestroy)
BARLINT_CALL(cublasStatus_t, cublasLtMatmulPreferenceSetAttribute)
BARLINT_CALL(cublasStatus_t, cublasLtMatmulAlgoGetHeuristic)

#endif
