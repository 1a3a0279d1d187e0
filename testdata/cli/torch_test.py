"""Extensions of PyTorch on a machine without its headers: barlint's own declarations stand in."""
import json

from conftest import run_barlint

# The launch stands in a lambda of a dispatch; the kernel takes an accessor; a barrier is lacking.
EXTENSION = """\
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

template <typename scalar_t>
__global__ void fold(torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> in,
                     scalar_t *out, int n)
{
    __shared__ scalar_t piece[%(threads)d];
    int me = threadIdx.x;
    piece[me] = me < n ? in[blockIdx.x][me] : scalar_t(0);
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (me < half)
            piece[me] = piece[me] + piece[me + half];
        %(barrier)s
    }
    if (me == 0)
        out[blockIdx.x] = piece[0];
}

torch::Tensor fold_rows(torch::Tensor in)
{
    TORCH_CHECK(in.is_cuda(), "the tensor is not on a GPU");
    auto out = torch::empty({in.size(0)}, in.options());
    const int threads = %(threads)d;
    const dim3 blocks(in.size(0));
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(in.scalar_type(), "fold_rows", ([&] {
        fold<scalar_t><<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
            in.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            out.data_ptr<scalar_t>(), in.size(1));
    }));
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("fold_rows", &fold_rows, "sums of rows");
}
"""


def check(tmp_path, text, *options):
    (tmp_path / "a.cu").write_text(text)
    result = run_barlint("check", "--no-cache", "--headers=builtin", "--format=json", "a.cu",
                         *options, cwd=tmp_path, check=(0, 1))
    return json.loads(result.stdout), result.stderr


def test_a_launch_within_a_dispatch_is_found(tmp_path):
    report, said = check(tmp_path, EXTENSION % {"threads": 192, "barrier": ""})
    assert [one["status"] for one in report["files"]] == ["ok"]
    assert [one["rule"] for one in report["findings"]] == ["sync-missing"]
    assert "block (192, 1, 1)" in report["findings"][0]["launch"]
    assert "assumed" not in report["findings"][0]["launch"]
    notes = [line for line in said.splitlines() if "torch" in line]
    assert len(notes) == 1
    assert "note: 2 headers are of torch, which is not found: ATen/cuda/CUDAContext.h, " \
           "torch/extension.h; barlint's own declarations stand in" in notes[0]


def test_a_sound_kernel_has_no_finding(tmp_path):
    report, _ = check(tmp_path, EXTENSION % {"threads": 256, "barrier": "__syncthreads();"})
    assert [one["status"] for one in report["files"]] == ["ok"]
    assert not report["findings"]


def test_headers_of_the_users_come_first(tmp_path):
    folder = tmp_path / "include" / "torch"
    folder.mkdir(parents=True)
    (folder / "extension.h").write_text("#define ROWS 64\n")
    text = ("#include <torch/extension.h>\n__global__ void k(int *p) { p[threadIdx.x] = ROWS; }\n"
            "void f(int *p) { k<<<1, ROWS>>>(p); }\n")
    report, said = check(tmp_path, text, "--", "-I", "include")
    assert [one["status"] for one in report["files"]] == ["ok"]
    assert "torch" not in said


def test_what_is_not_declared_costs_its_statement_only(tmp_path):
    text = (EXTENSION % {"threads": 192, "barrier": ""}).replace(
        "return out;", "torch::nn::functional::softmax_of_no_such_kind(out);\n    return out;")
    report, _ = check(tmp_path, text)
    assert [one["status"] for one in report["files"]] == ["partial"]
    assert [one["rule"] for one in report["findings"]] == ["sync-missing"]
