// How far the loop steps depends on data that another kernel writes meanwhile. It is no wait for
// anybody: the row that the warps have stored is read with no barrier in between.
__global__ void mirror_rows(const volatile int *kind, const float *in, float *out, int rows)
{
    __shared__ float row[256];
    int i = 0;
    while (i < rows) {
        row[threadIdx.x] = in[i * 256 + threadIdx.x];
        if (kind[i] == 7)
            i += 2;
        else
            ++i;
    }
    out[threadIdx.x] = row[255 - threadIdx.x]; // expect: sync-missing
}

void launch(const int *kind, const float *in, float *out, int rows)
{
    mirror_rows<<<1, 256>>>(kind, in, out, rows);
}
