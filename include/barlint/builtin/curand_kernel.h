// Random numbers in device code. A Mersenne Twister's state is shared by a block, and drawing from
// it synchronises the block, which the model knows.
#ifndef BARLINT_CURAND_KERNEL_H
#define BARLINT_CURAND_KERNEL_H

#include "curand.h"

#define BARLINT_RANDOM_STATE(name)                                                                 \
    struct name {                                                                                  \
        unsigned int state[12];                                                                    \
    };                                                                                             \
    typedef struct name name##_t;
BARLINT_RANDOM_STATE(curandStateXORWOW)
BARLINT_RANDOM_STATE(curandStateMRG32k3a)
BARLINT_RANDOM_STATE(curandStatePhilox4_32_10)
BARLINT_RANDOM_STATE(curandStateMtgp32)
BARLINT_RANDOM_STATE(curandStateSobol32)
BARLINT_RANDOM_STATE(curandStateScrambledSobol32)
BARLINT_RANDOM_STATE(curandStateSobol64)
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
template <typename S> __device__ void curand_init(unsigned long long seed,
                                                  unsigned long long sequence,
                                                  unsigned long long offset, S *state);
template <typename V, typename S>
__device__ void curand_init(V *vectors, unsigned int offset, S *state);
template <typename S> __device__ unsigned int curand(S *state);
template <typename S> __device__ uint4 curand4(S *state);
template <typename S> __device__ float curand_uniform(S *state);
template <typename S> __device__ float4 curand_uniform4(S *state);
template <typename S> __device__ double curand_uniform_double(S *state);
template <typename S> __device__ double2 curand_uniform2_double(S *state);
template <typename S> __device__ float curand_normal(S *state);
template <typename S> __device__ float2 curand_normal2(S *state);
template <typename S> __device__ float4 curand_normal4(S *state);
template <typename S> __device__ double curand_normal_double(S *state);
template <typename S> __device__ float curand_log_normal(S *state, float mean, float deviation);
template <typename S> __device__ unsigned int curand_poisson(S *state, double lambda);
template <typename S> __device__ void skipahead(unsigned long long n, S *state);

#endif
