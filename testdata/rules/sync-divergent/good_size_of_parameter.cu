// How many numbers a wide word holds, only an instantiation says; none is here to tell whether
// some thread of a block is left without one.
template <typename Number, typename Wide>
__global__ void shift(Number *__restrict__ out, const Number *__restrict__ in, unsigned columns)
{
    __shared__ Wide line[128];
    const unsigned each = sizeof(Wide) / sizeof(Number);
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at * each < columns) {
        line[threadIdx.x] = reinterpret_cast<const Wide *>(in)[at];
        __syncthreads();
        reinterpret_cast<Wide *>(out)[at] = line[threadIdx.x ^ 1];
    }
}
