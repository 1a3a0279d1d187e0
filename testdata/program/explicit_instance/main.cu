#include "kernels.h"

void run(int *data)
{
    partial<300><<<1, 320>>>(data);
}
