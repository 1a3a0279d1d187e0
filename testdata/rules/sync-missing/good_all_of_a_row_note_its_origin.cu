// The four threads of a row all store the origin of their row and then read it: each has stored the
// same there itself.
__global__ void nearest(const int *__restrict__ origin, const int *__restrict__ step,
                        int *__restrict__ out, int points, int steps, int scale)
{
    __shared__ int at[16][2];
    const int point = blockIdx.x * 16 + threadIdx.y;
    if (point >= points)
        return;
    at[threadIdx.y][0] = origin[point * 2] * scale;
    at[threadIdx.y][1] = origin[point * 2 + 1] * scale - 1;
    for (int i = threadIdx.x; i < steps; i += 4)
        out[point * steps + i] = (at[threadIdx.y][0] + step[i]) ^ at[threadIdx.y][1];
}

void run(const int *origin, const int *step, int *out, int points, int steps)
{
    nearest<<<(points + 15) / 16, dim3(4, 16)>>>(origin, step, out, points, steps, 8);
}
