// Each warp goes down a tree with a stack of its own in shared memory; whether it goes deeper a vote of
// the warp says.
constexpr int warps = 4, depth_of_stack = 48;

__global__ void walk(const int *__restrict__ first_child, const float *__restrict__ size,
                     float *__restrict__ seen, int root)
{
    __shared__ int stack[warps * depth_of_stack];
    const int bottom = threadIdx.x / 32 * depth_of_stack;
    int top = bottom;
    if (threadIdx.x % 32 == 0)
        stack[bottom] = root;
    __syncwarp();
    float sum = 0;
    do {
        const int node = stack[top];
        __syncwarp();
        sum += size[node];
        if (!__all_sync(0xffffffffu, size[node] < 1.0f)) {
            if (threadIdx.x % 32 == 0)
                stack[top] = first_child[node];
            ++top;
        }
        --top;
        __syncwarp();
    } while (top >= bottom);
    seen[blockIdx.x * warps * 32 + threadIdx.x] = sum;
}

void run(const int *first_child, const float *size, float *seen, int root, int blocks)
{
    walk<<<blocks, warps * 32>>>(first_child, size, seen, root);
}
