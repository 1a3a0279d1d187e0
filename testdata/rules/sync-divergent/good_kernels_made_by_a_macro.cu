// Kernels that a macro makes stand on one line, with the returns in them: who returns there leaves,
// and does not stand at the closing brace.
#define SMOOTH(name, type)                                                                         \
    __global__ void name(const type *in, type *out, int rows)                                      \
    {                                                                                              \
        __shared__ type row[128];                                                                  \
        if (threadIdx.x / 32 >= rows)                                                              \
            return;                                                                                \
        row[threadIdx.x] = in[threadIdx.x];                                                        \
        __syncthreads();                                                                           \
        type before = threadIdx.x ? row[threadIdx.x - 1] : row[0];                                 \
        out[threadIdx.x] = (before + row[threadIdx.x]) / 2;                                        \
    }

SMOOTH(smooth_floats, float)
SMOOTH(smooth_doubles, double)

void launch(const float *in, float *out, const double *in2, double *out2, int rows)
{
    smooth_floats<<<1, 128>>>(in, out, rows);
    smooth_doubles<<<1, 128>>>(in2, out2, rows);
}
