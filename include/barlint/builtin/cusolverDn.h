// cuSOLVER, dense.
#ifndef BARLINT_CUSOLVERDN_H
#define BARLINT_CUSOLVERDN_H
#define CUSOLVER_COMMON_H_

#include "barlint_library.h"

#include "cublas_v2.h"
typedef struct cusolverDnContext *cusolverDnHandle_t;
enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS = 0 };
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR };
BARLINT_CALL(cusolverStatus_t, cusolverDnCreate)
BARLINT_CALL(cusolverStatus_t, cusolverDnDestroy)
BARLINT_CALL(cusolverStatus_t, cusolverDnSetStream)
BARLINT_CALL(cusolverStatus_t, cusolverDnSgetrf)
BARLINT_CALL(cusolverStatus_t, cusolverDnSgetrf_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnSgetrs)
BARLINT_CALL(cusolverStatus_t, cusolverDnSpotrf)
BARLINT_CALL(cusolverStatus_t, cusolverDnSpotrf_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnSpotrs)
BARLINT_CALL(cusolverStatus_t, cusolverDnSgesvd)
BARLINT_CALL(cusolverStatus_t, cusolverDnSgesvd_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnSsyevd)
BARLINT_CALL(cusolverStatus_t, cusolverDnSsyevd_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnSgeqrf)
BARLINT_CALL(cusolverStatus_t, cusolverDnSgeqrf_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnDgetrf)
BARLINT_CALL(cusolverStatus_t, cusolverDnDgetrf_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnDgetrs)
BARLINT_CALL(cusolverStatus_t, cusolverDnDpotrf)
BARLINT_CALL(cusolverStatus_t, cusolverDnDpotrf_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnDpotrs)
BARLINT_CALL(cusolverStatus_t, cusolverDnDgesvd)
BARLINT_CALL(cusolverStatus_t, cusolverDnDgesvd_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnDsyevd)
BARLINT_CALL(cusolverStatus_t, cusolverDnDsyevd_bufferSize)
BARLINT_CALL(cusolverStatus_t, cusolverDnDgeqrf)
BARLINT_CALL(cusolverStatus_t, cusolverDnDgeqrf_bufferSize)

#endif
