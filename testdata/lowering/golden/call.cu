// Calls: what is used and dropped, through pointers, virtual, followed only where it matters.
#include <cuda_runtime.h>
#include <stdio.h>

struct shape {
    __device__ virtual int area() const
    {
        return 1;
    }
};
struct square : shape {
    int side;
    __device__ int area() const override
    {
        return side * side;
    }
};
[[nodiscard]] __device__ int important();
__device__ int twice(int x)
{
    return 2 * x;
}
__device__ int through(int (*f)(int), const shape &s)
{
    return f(3) + s.area();
}
__global__ void kernel(int *p)
{
    square s;
    s.side = 4;
    twice(1);
    (void)important();
    p[0] = through(twice, s) + s.area();
    printf("%d\n", p[0]);
    if (p[0] > 100)
        __trap();
}
