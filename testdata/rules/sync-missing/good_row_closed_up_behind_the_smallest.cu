// Each warp keeps the best KEEP + 1 of its scores in a row of its own, drops the smallest and moves
// those behind it one place up: reads stay within the row, wherever the smallest was.
constexpr int KEEP = 2, WARPS = 4;

__global__ void keep_best(const float *scores, const int *owners, float *best, int rows)
{
    extern __shared__ float kept[];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float *score = kept + warp * (KEEP + 1);
    int *owner = reinterpret_cast<int *>(kept + WARPS * (KEEP + 1)) + warp * (KEEP + 1);
    for (int row = blockIdx.x * WARPS + warp; row < rows; row += gridDim.x * WARPS) {
        if (lane == 0) {
            for (int i = 0; i < KEEP + 1; ++i) {
                score[i] = scores[row * (KEEP + 1) + i];
                owner[i] = owners[row * (KEEP + 1) + i];
            }
        }
        __syncwarp();
        if (lane == 0) {
            int at = 0, whose = owner[0];
            float smallest = score[0];
            for (int i = 1; i < KEEP + 1; ++i) {
                float one = score[i];
                int its = owner[i];
                if (one < smallest || (one == smallest && its > whose)) {
                    smallest = one;
                    whose = its;
                    at = i;
                }
            }
            for (int i = at; i < KEEP; ++i) {
                score[i] = score[i + 1];
                owner[i] = owner[i + 1];
            }
        }
        __syncwarp();
        if (lane < KEEP)
            best[row * KEEP + lane] = score[lane];
        __syncwarp();
    }
}

void launch(const float *scores, const int *owners, float *best, int rows)
{
    keep_best<<<64, WARPS * 32, 2 * WARPS * (KEEP + 1) * sizeof(float)>>>(scores, owners, best,
                                                                          rows);
}
