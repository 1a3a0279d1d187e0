// The box is told to be empty, and nobody waits for that before the next letter.
#include <cstdint>
#include <cuda_runtime.h>
// One hardware barrier and what goes with it.
class Gate {
  public:
    Gate() = default;
    __device__ void open(unsigned arrivals) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"(arrivals)
                     : "memory");
    }
    __device__ void close() { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address())
                                           : "memory"); }
    __device__ void signal() { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address())
                                            : "memory"); }
    __device__ void signal(unsigned n) { asm volatile("mbarrier.arrive.shared.b64 _, [%0], %1;" ::"r"(address()), "r"(n)
                                                      : "memory"); }
    __device__ void announce(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes)
                     : "memory");
    }
    __device__ bool passed(unsigned parity) const {
        unsigned r;
        asm volatile("{\n.reg .pred q;\nmbarrier.try_wait.parity.shared.b64 q, [%1], %2;\nselp.b32 %0, 1, 0, q;\n}"
                     : "=r"(r)
                     : "r"(address()), "r"(parity)
                     : "memory");
        return r;
    }
    __device__ void await(unsigned parity) const {
        while (!passed(parity)) {
        }
    }
    __device__ unsigned address() const { return (unsigned)__cvta_generic_to_shared(&word_); }

  private:
    uint64_t word_;
};
struct Mailbox {
    Gate mail;
    Gate taken;
    int value[32];
};
__device__ void post(Mailbox &m, int lane, int v, unsigned lap) {
    m.value[lane] = v;
    m.mail.signal();
}
__device__ int fetch(Mailbox &m, int lane, unsigned lap) {
    m.mail.await(lap); // expect: phase-parity-lag
    const int v = m.value[31 - lane];
    m.taken.signal();
    return v;
}
__global__ void __launch_bounds__(64) postman(const int *in, int *out, int n) {
    __shared__ Mailbox m;
    if (threadIdx.x == 0) {
        m.mail.open(32);
        m.taken.open(32);
    }
    __syncthreads();
    const int lane = threadIdx.x & 31;
    if (threadIdx.x < 32)
        for (int i = 0; i < n; ++i)
            post(m, lane, in[i * 32 + lane], i & 1);
    else
        for (int i = 0; i < n; ++i)
            out[i * 32 + lane] = fetch(m, lane, i & 1);
}
void launch(const int *a, int *b, int n) { postman<<<1, 64>>>(a, b, n); }
