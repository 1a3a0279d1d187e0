// Stands in, last in the search order, for a toolkit installed without curand: clang's CUDA wrapper
// includes a header of this name.
