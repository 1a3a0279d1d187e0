// Stands in for cuRAND's header where a toolkit comes without cuRAND. clang's
// __clang_cuda_runtime_wrapper.h includes it only to control how it declares blockDim.
