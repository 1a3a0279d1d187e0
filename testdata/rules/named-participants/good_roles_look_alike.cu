// Both roles pass over the rows that have no piece of the list, each with a loop of its own over
// the same data: they find the same, so whatever row is left out one role leaves out the other does.
#include <cuda_runtime.h>

constexpr int team = 64;

struct pieces {
    const int *length;
    int at, end;
    __device__ bool over() const { return at >= end; }
    __device__ bool empty() const { return length[at] == 0; }
    __device__ void skip() { ++at; }
};

__device__ void meet(int barrier) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(2 * team) : "memory");
}
__device__ void tell(int barrier) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(2 * team) : "memory");
}

struct rows {
    int *value;
    __device__ void fetch(pieces left, const int *from, int row) {
        while (!left.over() && left.empty())
            left.skip();
        if (left.over())
            return;
        meet(1);
        value[threadIdx.x] = from[row * team + threadIdx.x];
        tell(2);
    }
    __device__ int sum(pieces left) {
        while (!left.over() && left.empty())
            left.skip();
        if (left.over())
            return 0;
        meet(2);
        int all = value[threadIdx.x % team] + value[(threadIdx.x + 1) % team];
        tell(1);
        return all;
    }
};

__global__ void __launch_bounds__(2 * team) sums(const int *from, const int *length, const int *first, int *to, int n) {
    __shared__ int value[team];
    rows all{value};
    if (threadIdx.x < team) {
        for (int row = blockIdx.x; row < n; row += gridDim.x)
            all.fetch({length, first[row], first[row + 1]}, from, row);
    } else {
        tell(1);
        for (int row = blockIdx.x; row < n; row += gridDim.x)
            to[row * team + threadIdx.x - team] = all.sum({length, first[row], first[row + 1]});
    }
}

// The same with loops in the branches themselves.
__global__ void firsts(const int *length, const int *first, int *to, int n) {
    __shared__ int value;
    if (threadIdx.x < team) {
        for (int row = blockIdx.x; row < n; row += gridDim.x) {
            int at = first[row];
            while (length[at] < 0)
                ++at;
            if (at >= first[row + 1])
                continue;
            meet(1);
            if (threadIdx.x == 0)
                value = at;
            tell(2);
        }
    } else {
        tell(1);
        for (int row = blockIdx.x; row < n; row += gridDim.x) {
            int found = first[row];
            while (length[found] < 0)
                ++found;
            if (found >= first[row + 1])
                continue;
            meet(2);
            to[row] = value;
            tell(1);
        }
    }
}

void launch(const int *from, const int *length, const int *first, int *to, int n) {
    sums<<<16, 2 * team>>>(from, length, first, to, n);
    firsts<<<16, 2 * team>>>(length, first, to, n);
}
