// The primitives since CUDA 12: parities and suspending tests.
// since: 12.0
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_primitives.h>

__global__ void kernel()
{
    __shared__ __mbarrier_t raw;
    __shared__ nvcuda::experimental::awbarrier b;
    __mbarrier_token_t token = __mbarrier_arrive(&raw);
    (void)__mbarrier_test_wait_parity(&raw, false);
    (void)__mbarrier_try_wait(&raw, token, 100);
    (void)__mbarrier_try_wait_parity(&raw, true, 100);
    (void)b.timed_wait_parity(false, 10);
    (void)b.try_wait(b.arrive(), 10);
    (void)b.try_wait_parity(true, 10);
}
