// The last block to come turns a flag round, and all others wait until it has changed.
struct grid_gate {
    unsigned *count;
    volatile unsigned *sense;
    unsigned mine;

    __device__ explicit grid_gate(unsigned *state) : count(state), sense(state + 1), mine(0) {}

    __device__ void pass()
    {
        __syncthreads();
        if (threadIdx.x == 0) {
            mine ^= 1;
            __threadfence();
            const bool last = atomicAdd(count, 1) == gridDim.x - 1;
            if (last) { // expect: grid-handmade
                *count = 0;
                __threadfence();
                *sense = mine;
            } else {
                while (*sense != mine)
                    __nanosleep(20);
            }
            __threadfence();
        }
        __syncthreads();
    }
};

__global__ void smooth(float *a, float *b, int n, int steps, unsigned *state)
{
    grid_gate gate(state);
    for (int step = 0; step < steps; ++step) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1;
             i += gridDim.x * blockDim.x)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        gate.pass();
        float *other = a;
        a = b;
        b = other;
    }
}

void run(float *a, float *b, int n, int steps, unsigned *state)
{
    smooth<<<512, 256>>>(a, b, n, steps, state);
}
