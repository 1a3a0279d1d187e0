// Each warp has a row, four of them a barrier. In the last block warps without a row come all the same.
__global__ void add_rows(const float *in, float *out, int rows)
{
    __shared__ float part[8][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, team = warp / 4;
    const int row = blockIdx.x * 8 + warp;
    part[warp][lane] = row < rows ? in[row * 32 + lane] : 0.0f;
    asm volatile("barrier.cta.sync %0, 128;" ::"r"(team + 1) : "memory");
    if (warp % 4 == 0)
        out[(blockIdx.x * 2 + team) * 32 + lane] =
            part[warp][lane] + part[warp + 1][lane] + part[warp + 2][lane] + part[warp + 3][lane];
}

void launch(const float *in, float *out, int rows)
{
    add_rows<<<(rows + 7) / 8, 256>>>(in, out, rows);
}
