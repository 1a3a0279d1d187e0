// Half precision, bfloat16, 8-bit floats, tensor-core fragments, random numbers.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>

using namespace nvcuda;

__global__ void kernel(half *h, half2 *pair, __nv_bfloat16 *b, float *f)
{
    __shared__ half tile[256];
    __shared__ __nv_bfloat162 pairs[4];
    half x = h[0];
    x = x + __float2half(1.0f);
    x += x;
    pair[0] = __hadd2(pair[0], __hmul2(pair[1], pair[0]));
    f[0] = __half2float(x) + float(x) + __bfloat162float(b[0]);
    b[0] = __float2bfloat16(f[0]);
    x = __shfl_xor_sync(~0u, x, 1);
    x = __hfma(x, x, __hmax(x, x));
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> c;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> d;
    wmma::fill_fragment(d, 0.0f);
    wmma::load_matrix_sync(a, tile, 16);
    wmma::load_matrix_sync(c, tile, 16);
    wmma::mma_sync(d, a, c, d);
    wmma::store_matrix_sync(f, d, 16, wmma::mem_row_major);
    for (int i = 0; i < d.num_elements; ++i) {
        d.x[i] *= 2.0f;
    }
    __nv_fp8_e4m3 e(1.0f);
    f[1] = float(e) + __low2float(pair[0]) + __bfloat162float(pairs[0].x);
    cuFloatComplex z = cuCmulf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, 4));
    f[2] = cuCrealf(z);
}
