// cuFFT.
#ifndef BARLINT_CUFFT_H
#define BARLINT_CUFFT_H
#define _CUFFT_H_

#include "barlint_library.h"

typedef int cufftHandle;
enum cufftResult_t { CUFFT_SUCCESS = 0 };
typedef cufftResult_t cufftResult;
enum cufftType {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
};
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

#endif
