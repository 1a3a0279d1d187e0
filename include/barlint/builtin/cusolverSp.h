// cuSOLVER, sparse.
#ifndef BARLINT_CUSOLVERSP_H
#define BARLINT_CUSOLVERSP_H
#define CUSOLVERSP_H_

#include "cublas_v2.h"
#include "cusolver_common.h"
#include "cusparse.h"

typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;
typedef struct csrcholInfo *csrcholInfo_t;
typedef struct csrluInfoHost *csrluInfoHost_t;
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csreigvsi)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrlsvchol)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrlsvluHost)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrlsvqr)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrqrBufferInfoBatched)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrqrsvBatched)
BARLINT_CALL(cusolverStatus_t, cusolverSpCreate)
BARLINT_CALL(cusolverStatus_t, cusolverSpCreateCsrqrInfo)
BARLINT_CALL(cusolverStatus_t, cusolverSpDestroy)
BARLINT_CALL(cusolverStatus_t, cusolverSpDestroyCsrqrInfo)
BARLINT_CALL(cusolverStatus_t, cusolverSpGetStream)
BARLINT_CALL(cusolverStatus_t, cusolverSpSetStream)
BARLINT_CALL(cusolverStatus_t, cusolverSpXcsrmetisndHost)
BARLINT_CALL(cusolverStatus_t, cusolverSpXcsrpermHost)
BARLINT_CALL(cusolverStatus_t, cusolverSpXcsrperm_bufferSizeHost)
BARLINT_CALL(cusolverStatus_t, cusolverSpXcsrsymamdHost)
BARLINT_CALL(cusolverStatus_t, cusolverSpXcsrsymrcmHost)
// cusolverSp_LOWLEVEL_PREVIEW.h
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrcholBufferInfo)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrcholFactor)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrcholSolve)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrcholZeroPivot)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrqrBufferInfo)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrqrFactor)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrqrSetup)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrqrSolve)
BARLINT_SDCZ(cusolverStatus_t, cusolverSp, csrqrZeroPivot)
BARLINT_CALL(cusolverStatus_t, cusolverSpCreateCsrcholInfo)
BARLINT_CALL(cusolverStatus_t, cusolverSpDestroyCsrcholInfo)
BARLINT_CALL(cusolverStatus_t, cusolverSpXcsrcholAnalysis)
BARLINT_CALL(cusolverStatus_t, cusolverSpXcsrqrAnalysis)

#endif
