// The block is as high as it is wide, whatever the caller chooses; threads of other rows load what a
// thread reads.
__global__ void turn(const float *__restrict__ in, float *__restrict__ out, int width)
{
    extern __shared__ float tile[];
    const int side = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    tile[y * side + x] = in[(blockIdx.y * side + y) * width + blockIdx.x * side + x];
    out[(blockIdx.x * side + y) * width + blockIdx.y * side + x] =
        tile[x * side + y]; // expect: sync-missing
}

void run(const float *in, float *out, int width, int side)
{
    const dim3 block(side, side), grid(width / side, width / side);
    turn<<<grid, block, side * side * sizeof(float)>>>(in, out, width);
}
