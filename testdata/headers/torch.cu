// An extension of PyTorch: tensors, dispatch, accessors, streams, guards, checks, modules. Read with
// barlint's own declarations, as torch is not among what tests have.
#include <ATen/AccumulateType.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/DeviceUtils.cuh>
#include <ATen/cuda/detail/KernelUtils.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>
#include <torch/library.h>

#include <iostream>

C10_HOST_DEVICE constexpr auto most = std::numeric_limits<c10::Float8_e4m3fn>::max();

using torch::PackedTensorAccessor32;
using torch::RestrictPtrTraits;

template <typename scalar_t>
__global__ void rows(const PackedTensorAccessor32<scalar_t, 2, RestrictPtrTraits> in,
                     PackedTensorAccessor32<scalar_t, 1, RestrictPtrTraits> out)
{
    using acc_t = at::acc_type<scalar_t, true>;
    acc_t sum = 0;
    for (int i = threadIdx.x; i < in.size(1); i += blockDim.x)
        sum += static_cast<acc_t>(in[blockIdx.x][i]);
    for (int lane = C10_WARP_SIZE / 2; lane > 0; lane /= 2)
        sum += WARP_SHFL_DOWN(sum, lane);
    if (threadIdx.x % C10_WARP_SIZE == 0)
        gpuAtomicAdd(&out[blockIdx.x], static_cast<scalar_t>(sum));
}

template <typename T> __global__ void scale(T *out, const T *in, T factor, int n)
{
    CUDA_KERNEL_LOOP(i, n)
    {
        at::opmath_type<T> value = in[i];
        out[i] = value * static_cast<at::opmath_type<T>>(factor) + T(1);
        at::native::fastAtomicAdd(out, i, n, WARP_SHFL_XOR(out[i], 1), true);
        if (out[i] >= std::numeric_limits<T>::max() || out[i] > T(FLT_MAX))
            WARP_SYNC();
    }
}

#if __cplusplus >= 201703L
using maybe_tensor = std::optional<at::Tensor>;
bool is_given(const c10::optional<torch::Tensor> &tensor)
{
    return tensor.has_value() && tensor->defined();
}
#endif

std::vector<at::Tensor> sums(const torch::Tensor &in, double factor, int64_t columns)
{
    TORCH_CHECK(in.is_cuda() && in.dim() == 2, "a matrix is wanted, not ", in.sizes());
    TORCH_CHECK(in.dtype() != torch::kBool && in.scalar_type() != at::kChar);
    const at::cuda::OptionalCUDAGuard guard(at::device_of(in));
    auto options = torch::TensorOptions().dtype(torch::kFloat32).device(in.device());
    torch::Tensor out = torch::zeros({in.size(0)}, in.options()), more = at::empty_like(in);
    auto table = torch::empty({in.size(0), columns}, options).view({-1, columns}).contiguous();
    table.record_stream(at::cuda::getCurrentCUDAStream());
    more = more.permute({1, 0}).to(torch::kHalf);
    const int threads = 256;
    const dim3 blocks((in.size(1) + threads - 1) / threads, in.size(0));
    cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(
        in.type(), "sums", ([&] {
            rows<scalar_t><<<blocks, threads, 0, stream>>>(
                in.packed_accessor32<scalar_t, 2, RestrictPtrTraits>(),
                out.packed_accessor32<scalar_t, 1, RestrictPtrTraits>());
        }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    AT_DISPATCH_SWITCH(in.scalar_type(), "scale",
                       AT_DISPATCH_CASE(at::ScalarType::BFloat16, [&] {
                           scale<scalar_t>
                               <<<at::cuda::detail::GET_BLOCKS(in.numel()), 1024, 0,
                                  at::cuda::getCurrentCUDAStream()>>>(
                                   out.data_ptr<scalar_t>(), in.const_data_ptr<scalar_t>(),
                                   static_cast<scalar_t>(factor), in.numel());
                       }));
    AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, in.scalar_type(), "scale", [&] {
        scale<scalar_t><<<8, 128>>>(out.data_ptr<scalar_t>(), in.data_ptr<scalar_t>(), scalar_t(2),
                                    static_cast<int>(in.numel()));
    });
    AT_DISPATCH_V2(in.scalar_type(), "scale", AT_WRAP([&] {
                       scale<scalar_t><<<8, 128>>>(out.mutable_data_ptr<scalar_t>(),
                                                   in.data_ptr<scalar_t>(), scalar_t(2), 8);
                   }),
                   AT_EXPAND(AT_FLOATING_TYPES), at::kHalf);
    AT_CUDA_CHECK(cudaGetLastError());
    std::cout << in.sizes() << in.scalar_type() << out << at::cuda::getCurrentDeviceProperties();
    return {out, more.index({torch::indexing::Slice(0, 3), 2}), table};
}

TORCH_LIBRARY(rows, m)
{
    m.def("sums(Tensor x, float factor, int columns) -> Tensor[]");
}

TORCH_LIBRARY_IMPL(rows, CUDA, m)
{
    m.impl("sums", TORCH_FN(sums));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("sums", &sums, "sums of rows", py::arg("in"), py::arg("factor") = 1.0);
}
