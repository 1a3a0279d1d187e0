// locations
#define LOOP(i, n) for (int i = 0; i < n; ++i)
#define SYNC() __syncthreads()
__attribute__((device)) void __syncthreads();
__attribute__((global)) void kernel(int *p)
{
    LOOP(k, 3)
    {
        p[k] = k;
        SYNC();
    }
}
