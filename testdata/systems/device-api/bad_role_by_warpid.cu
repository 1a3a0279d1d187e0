// The number of the warp in hardware may change: it is no base for roles that a barrier counts on.
__device__ unsigned hardware_warp()
{
    unsigned number;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(number));
    return number;
}

__global__ void roles(float *cell)
{
    if (hardware_warp() == 0)
        cell[0] = 1;
    __syncthreads();
    if (hardware_warp() != 0)
        asm volatile("bar.sync 1, 96;" ::: "memory"); // expect: named-participants
    cell[threadIdx.x + 1] += cell[0];
}

void launch(float *cell)
{
    roles<<<1, 128>>>(cell);
}
