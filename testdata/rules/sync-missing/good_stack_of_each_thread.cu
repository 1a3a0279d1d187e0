// Every thread walks a tree of its own and keeps the nodes that are left in its row of shared memory. How deep
// it is data decide, and never deeper than the row is long.
constexpr int kThreads = 128, kDeep = 12;

__global__ void weigh(const int *root, const int2 *children, const float *weight, float *out, int trees)
{
    __shared__ int left[kThreads][kDeep];
    __shared__ float sum[kThreads];
    int mine = threadIdx.x, tree = blockIdx.x * kThreads + mine, top = 0;
    float total = 0;
    if (tree < trees) {
        left[mine][0] = root[tree];
        while (top >= 0) {
            int node = left[mine][top];
            total += weight[node];
            int2 below = children[node];
            --top;
            if (below.x >= 0) {
                left[mine][top + 1] = below.x;
                ++top;
            }
            if (below.y >= 0) {
                left[mine][top + 1] = below.y;
                ++top;
            }
        }
    }
    sum[mine] = total;
    __syncthreads();
    if (mine < 32)
        out[blockIdx.x * 32 + mine] = sum[mine] + sum[mine + 32] + sum[mine + 64] + sum[mine + 96];
}

void launch(const int *root, const int2 *children, const float *weight, float *out, int trees)
{
    weigh<<<(trees + kThreads - 1) / kThreads, kThreads>>>(root, children, weight, out, trees);
}
