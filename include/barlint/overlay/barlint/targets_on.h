// Ends what targets_off.h began.
#pragma GCC system_header

#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("NV_IF_TARGET")
#pragma pop_macro("NV_DISPATCH_TARGET")
