#include <cuda_runtime.h>

enum { SIDE = 64, ROWS = 16 };

// Each thread keeps four entries of a tile of distances. The block that holds the next pivot tile
// closes it in the very memory that others still read; by then every number of the tile has been
// followed through many rounds, as data decide which entries change.
__global__ void relax(int *dist, const int *row_of, const int *column_of, int pitch, int pivot,
                      int side)
{
    __shared__ int across[SIDE * SIDE], down[SIDE * SIDE];
    const int y = blockIdx.x / side, x = blockIdx.x % side;
    const int column = threadIdx.x, first = threadIdx.y;
    int best[4], before[4];
    for (int k = 0; k < 4; ++k) {
        const int row = first + k * ROWS;
        across[row * SIDE + column] = row_of[(pivot * SIDE + row) * pitch + x * SIDE + column];
        down[row * SIDE + column] = column_of[(y * SIDE + row) * pitch + pivot * SIDE + column];
        best[k] = before[k] = dist[(y * SIDE + row) * pitch + x * SIDE + column];
    }
    __syncthreads();
    for (int via = 0; via < SIDE; ++via)
        for (int k = 0; k < 4; ++k)
            best[k] = min(best[k],
                          down[(first + k * ROWS) * SIDE + via] + across[via * SIDE + column]);
    if (y == pivot + 1 && x == pivot + 1) {
        for (int via = 0; via < SIDE; ++via) {
            for (int k = 0; k < 4; ++k)
                if (first + k * ROWS == via)
                    across[via * SIDE + column] = best[k]; // expect: sync-missing
            __syncthreads();
            for (int k = 0; k < 4; ++k)
                best[k] = min(best[k], across[via * SIDE + column] + best[k & 1]);
        }
    }
    for (int k = 0; k < 4; ++k)
        if (best[k] != before[k])
            dist[(y * SIDE + first + k * ROWS) * pitch + x * SIDE + column] = best[k];
}

void launch(int *dist, const int *row_of, const int *column_of, int nodes)
{
    const int side = nodes / SIDE;
    for (int pivot = 0; pivot < side; ++pivot)
        relax<<<side * side, dim3(SIDE, ROWS)>>>(dist, row_of, column_of, nodes, pivot, side);
}
