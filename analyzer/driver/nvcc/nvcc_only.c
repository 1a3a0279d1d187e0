// `barlint nvcc` as a program of its own, which needs no libclang: for machines that run tests and
// have nothing but the CUDA toolkit.
#include "driver/driver.h"
#include "driver/nvcc/nvcc.h"

int main(int argc, char **argv)
{
    return nvcc_main(argc - 1, argv + 1);
}
