// Constants of the floating-point formats.
#pragma once
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_MIN_DENORM_F 1.4e-45f
#define CUDART_MAX_NORMAL_F 3.4028234e38f
#define CUDART_NEG_ZERO_F -0.0f
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_HALF_F 0.70710678f
#define CUDART_SQRT_TWO_F 1.41421356f
#define CUDART_PI_F 3.14159265f
#define CUDART_2PI_F 6.28318531f
#define CUDART_PIO2_F 1.57079633f
#define CUDART_PIO4_F 0.78539816f
#define CUDART_LN2_F 0.69314718f
#define CUDART_L2E_F 1.44269504f
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_PI 3.1415926535897931
#define CUDART_2PI 6.2831853071795862
#define CUDART_PIO2 1.5707963267948966
#define CUDART_LN2 0.69314718055994531
#define CUDART_L2E 1.4426950408889634
