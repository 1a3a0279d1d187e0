// arch: sm_80
// The transaction count is there from compute capability 9.0 on.
#include <cuda/barrier>
#include <cuda/ptx>

__global__ void announce(float *cell)
{
    __shared__ uint64_t loaded;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&loaded, 64);
    __syncthreads();
    uint64_t token = cuda::ptx::mbarrier_arrive_expect_tx( // expect: port-arch
        cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared, &loaded, 0);
    while (!cuda::ptx::mbarrier_test_wait(&loaded, token)) {
    }
    cell[threadIdx.x] *= 2;
}

void launch(float *cell)
{
    announce<<<1, 64>>>(cell);
}
