// One warp for a row of a tile, or fewer lanes where the rows are shorter. What the device says of
// its warps is kept elsewhere; the length of the row only bounds it, and the kernel is compiled for
// the warps there are.
struct device_facts {
    int warp_size, processors;
};
const device_facts &facts_of(int device);

constexpr int rows_at_once = 4, lanes_at_most = 32;

template <int length>
__global__ void __launch_bounds__((lanes_at_most < length ? lanes_at_most : length) * rows_at_once)
    sums_of_rows(const float *in, float *out)
{
    __shared__ float partial[rows_at_once][lanes_at_most];
    int row = blockIdx.x * rows_at_once + threadIdx.y;
    float sum = 0;
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        sum += in[row * length + i];
    partial[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x; ++i)
            sum += partial[threadIdx.y][i];
        out[row] = sum;
    }
}

void run(const float *in, float *out, int length, int rows, int device)
{
    int warp = facts_of(device).warp_size;
    dim3 block(warp <= length ? warp : length, rows_at_once);
    switch (length) {
    case 16:
        sums_of_rows<16><<<rows / rows_at_once, block>>>(in, out);
        break;
    case 64:
        sums_of_rows<64><<<rows / rows_at_once, block>>>(in, out);
        break;
    case 128:
        sums_of_rows<128><<<rows / rows_at_once, block>>>(in, out);
        break;
    }
}
