// Each thread keeps the best of what it has seen in its own row of the table and makes room for a new
// one from the end of the row: the word before the one that is filled is of the same row, as the loop
// goes down to the place of the new one, which is the first of the row at the least.
#include <cuda_runtime.h>

constexpr int kept = 8, rows = 64;

__global__ void best_of_each(const float *score, float *best, int *place, int width)
{
    __shared__ float value[rows * kept];
    __shared__ int from[rows * kept];
    for (int row = threadIdx.x; row < rows; row += 32) {
        for (int rank = 0; rank < kept; ++rank) {
            value[row * kept + rank] = -1e30f;
            from[row * kept + rank] = -1;
        }
        for (int part = 0; part < 4; ++part) {
            int column = row + part * rows;
            float seen = score[blockIdx.x * width + column];
            for (int rank = 0; rank < kept; ++rank) {
                if (seen > value[row * kept + rank]) {
                    for (int to = kept - 1; to > rank; --to) {
                        value[row * kept + to] = value[row * kept + to - 1];
                        from[row * kept + to] = from[row * kept + to - 1];
                    }
                    value[row * kept + rank] = seen;
                    from[row * kept + rank] = column;
                    break;
                }
            }
        }
    }
    __syncwarp();
    for (int row = threadIdx.x; row < rows; row += 32) {
        int next = (row + 1) % rows;
        best[blockIdx.x * rows + row] = value[row * kept] - value[next * kept];
        place[blockIdx.x * rows + row] = from[row * kept];
    }
}

void pick(const float *score, float *best, int *place, int count, int width)
{
    best_of_each<<<count, 32>>>(score, best, place, width);
}
