#include "kernels.h"

void run(int *data)
{
    const int threads = 2 * 256;
    partial<<<1, threads>>>(data);
    full<<<1, 32>>>(data);
}
