// The C primitives of mbarriers and pipelines, and the first C++ classes over them.
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>

namespace exp = nvcuda::experimental;

__global__ void kernel(int *out, const int *in)
{
    __shared__ __mbarrier_t raw;
    __shared__ alignas(16) int tile[4];
    __shared__ exp::awbarrier b;
    out[0] = __mbarrier_maximum_count();
    __mbarrier_init(&raw, 32);
    __mbarrier_token_t token = __mbarrier_arrive(&raw);
    while (!__mbarrier_test_wait(&raw, token)) {
    }
    token = __mbarrier_arrive_and_drop(&raw);
    out[1] = __mbarrier_token_pending_count(token);
    __pipeline_memcpy_async(tile, in, 16);
    __pipeline_memcpy_async(tile, in, 16, 4);
    __pipeline_arrive_on(&raw);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __mbarrier_inval(&raw);
    init(&b, 32);
    auto arrived = b.arrive();
    out[2] = arrived.pending_count();
    (void)b.timed_wait(arrived, 100);
    b.wait(arrived);
    b.arrive_and_wait();
    b.arrive_and_drop();
    exp::pipeline pipe;
    exp::memcpy_async(tile[0], in[0], pipe);
    pipe.arrive_on(b);
    size_t batch = pipe.commit();
    pipe.wait(batch);
    pipe.wait_prior<1>();
    pipe.commit_and_wait();
    inval(&b);
}
