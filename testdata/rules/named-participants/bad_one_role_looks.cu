// The first role passes over rows in which it finds no piece, and the second waits for each row.
#include <cuda_runtime.h>

constexpr int team = 64;

__device__ void meet(int barrier) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(2 * team) : "memory");
}

__global__ void first_pieces(const int *length, const int *first, int *to, int n) {
    __shared__ int value;
    for (int row = blockIdx.x; row < n; row += gridDim.x) {
        if (threadIdx.x < team) {
            int at = first[row];
            while (at < first[row + 1] && length[at] == 0)
                ++at;
            if (at == first[row + 1])
                continue;
            if (threadIdx.x == 0)
                value = at;
            meet(1);
        } else {
            meet(1); // expect: named-participants
            to[row] = value;
        }
        __syncthreads();
    }
}

void launch(const int *length, const int *first, int *to, int n) {
    first_pieces<<<16, 2 * team>>>(length, first, to, n);
}
