"""How messages are worded that the rules' cases do not look at."""
from conftest import lint_json

NAMELESS = """
__device__ int next(const unsigned char *&at) {
    int value = 0;
    do {
        value = value << 7 | (*at & 127);
    } while (*at++ & 128);
    return value;
}
__global__ void turned(const unsigned char *data, float *out) {
    __shared__ float part[128];
    const unsigned char *at = data;
    int rows = next(at), columns = next(at);
    part[threadIdx.x] = out[threadIdx.x];
    if (rows / 4 % 3 == columns)
        __syncthreads();
    out[threadIdx.x] = part[127 - threadIdx.x];
}
void launch(const unsigned char *data, float *out) { turned<<<1, 128>>>(data, out); }
"""


def test_a_condition_that_names_nothing_is_told_by_its_line(barlint, tmp_path):
    source = tmp_path / "turned.cu"
    source.write_text(NAMELESS)
    messages = [one["message"] for one in lint_json([source], "--headers=builtin")["findings"]]
    assert len(messages) == 1
    assert messages[0].endswith("if the condition in line 14 allows it")
