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
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
    CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
    CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
};
enum cublasLtMatrixLayoutAttribute_t {
    CUBLASLT_MATRIX_LAYOUT_TYPE,
    CUBLASLT_MATRIX_LAYOUT_ORDER,
    CUBLASLT_MATRIX_LAYOUT_ROWS,
    CUBLASLT_MATRIX_LAYOUT_COLS,
    CUBLASLT_MATRIX_LAYOUT_LD,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET
};
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };
enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_BGRADB = 512
};
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
