// Every thread goes over its part until all of it is settled: the stride is that of the grid, and no
// block waits for all of them.
__global__ void settle(const int *__restrict__ neighbour, volatile unsigned char *state, int n)
{
    const int from = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    int missing;
    do {
        missing = 0;
        for (int v = from; v < n; v += stride) {
            const unsigned char own = state[v];
            if (own & 1) {
                int i = v;
                while (i < v + 4 && own > state[neighbour[i]])
                    ++i;
                if (i < v + 4)
                    missing = 1;
                else
                    state[v] = 0xfe;
            }
        }
    } while (missing != 0);
}

void run(const int *neighbour, unsigned char *state, int n)
{
    settle<<<24, 256>>>(neighbour, state, n);
}
