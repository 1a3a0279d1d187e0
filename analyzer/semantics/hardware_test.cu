// The semantics core on the device: the same as on the host, and, for the mbarrier machine, the
// same as a real mbarrier. Compiling it proves that the headers are device code; running it needs a
// GPU of compute capability 9.0 or later, and exits with 77 where there is none.
//
// A thread works on an mbarrier of its own, so that it sees every answer at once. It goes through
// all sequences of operations of a length, skipping those that the machine says abort the kernel,
// and compares after each one: the answers for both parities and for the tokens it got, and the
// pending count in tokens of .noComplete.
#include <cstdio>
#include <cstdlib>

#include "every_function.h"

static const uint32_t operations = 9; // alphabet of hardware_step()
static const uint32_t length = 6;
static const uint32_t block_size = 64;

struct difference {
    uint32_t count, sequence, step, what; // what: 0 none
    unsigned long long compared;
};

__device__ static bool test_parity(uint32_t bar, uint32_t parity)
{
    uint32_t passed;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(passed)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return passed != 0;
}

__device__ static bool test_token(uint32_t bar, uint64_t token)
{
    uint32_t passed;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(passed)
                 : "r"(bar), "l"(token)
                 : "memory");
    return passed != 0;
}

struct pair {
    struct barlint_token machine;
    uint64_t hardware;
};

// One operation on the machine `m`; and on the hardware, unless the machine says that it aborts.
__device__ static struct barlint_effect hardware_step(struct barlint_mbarrier *m, uint32_t bar,
                                                      uint32_t operation, struct pair *out_token)
{
    struct barlint_mbarrier before = *m;
    struct barlint_effect effect = barlint_effect_none();
    struct barlint_arrive arrive = barlint_arrive_plain(operation == 1 ? 2u : 1u);
    uint64_t token = 0;
    out_token->machine = barlint_token_none();
    if (operation == 7) {
        effect = barlint_mbarrier_expect_tx(m, 0, 16);
    } else if (operation == 8) {
        effect = barlint_mbarrier_complete_tx(m, 0, 16);
    } else {
        arrive.no_complete = operation == 2 || operation == 4;
        arrive.drops = operation == 3 || operation == 4 || operation == 6;
        arrive.expects = operation == 5 || operation == 6;
        arrive.bytes = 16;
        effect = barlint_mbarrier_arrive_with(m, 0, arrive, &out_token->machine);
    }
    if (effect.hardware == BARLINT_TRAPS) {
        *m = before;
        out_token->machine = barlint_token_none();
        return effect;
    }
    switch (operation) {
    case 0:
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory");
        break;
    case 1:
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(token) : "r"(bar) : "memory");
        break;
    case 2:
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;"
                     : "=l"(token)
                     : "r"(bar)
                     : "memory");
        break;
    case 3:
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                     : "=l"(token)
                     : "r"(bar)
                     : "memory");
        break;
    case 4:
        asm volatile("mbarrier.arrive_drop.noComplete.shared.b64 %0, [%1], 1;"
                     : "=l"(token)
                     : "r"(bar)
                     : "memory");
        break;
    case 5:
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 16;"
                     : "=l"(token)
                     : "r"(bar)
                     : "memory");
        break;
    case 6:
        asm volatile("mbarrier.arrive_drop.expect_tx.shared.b64 %0, [%1], 16;"
                     : "=l"(token)
                     : "r"(bar)
                     : "memory");
        break;
    case 7:
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 16;" ::"r"(bar) : "memory");
        break;
    default:
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], 16;" ::"r"(bar) : "memory");
        break;
    }
    out_token->hardware = token;
    return effect;
}

__device__ static uint32_t compare(struct barlint_mbarrier *m, uint32_t bar,
                                   const struct pair *token, const struct pair *first)
{
    for (uint32_t parity = 0; parity < 2; parity++) {
        if (test_parity(bar, parity) != barlint_mbarrier_test_parity(m, 0, parity).passed) {
            return 1 + parity;
        }
    }
    const struct pair *both[2] = {token, first};
    for (int i = 0; i < 2; i++) {
        if (both[i]->machine.state == BARLINT_TOKEN_ISSUED &&
            test_token(bar, both[i]->hardware) !=
                barlint_mbarrier_test_token(m, 0, &both[i]->machine).passed) {
            return 3 + (uint32_t)i;
        }
    }
    if (token->machine.state == BARLINT_TOKEN_ISSUED && token->machine.no_complete) {
        uint32_t want, got;
        barlint_token_pending_count(&token->machine, &want);
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(got) : "l"(token->hardware));
        if (got != want) {
            return 5;
        }
    }
    return 0;
}

__global__ void all_sequences(uint32_t sequences, struct difference *out)
{
    __shared__ uint64_t bars[block_size];
    uint32_t bar = (uint32_t)__cvta_generic_to_shared(&bars[threadIdx.x]);
    uint32_t stride = gridDim.x * blockDim.x, compared = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < 3 * sequences; i += stride) {
        uint32_t count = 1 + i / sequences, sequence = i % sequences, rest = sequence;
        struct barlint_mbarrier m;
        struct pair token, first;
        first.machine = barlint_token_none();
        barlint_mbarrier_clear(&m, 1, 0);
        barlint_mbarrier_init(&m, 0, BARLINT_LAYOUT_V0, count, 0);
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
        for (uint32_t step = 0; step < length; step++, rest /= operations) {
            hardware_step(&m, bar, rest % operations, &token);
            if (first.machine.state == BARLINT_TOKEN_NONE) {
                first = token;
            }
            uint32_t what = compare(&m, bar, &token, &first);
            compared++;
            if (what != 0 && atomicCAS(&out->what, 0u, what) == 0u) {
                out->count = count;
                out->sequence = sequence;
                out->step = step;
            }
        }
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(bar) : "memory");
    }
    atomicAdd(&out->compared, (unsigned long long)compared);
}

__global__ void every(uint32_t *hash, struct barlint_cta *cta)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    hash[i] = every_function(i, &cta[i]);
}

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

static int compare_with_host(void)
{
    const uint32_t seeds = 512;
    static struct barlint_cta host_cta;
    uint32_t *hash;
    struct barlint_cta *cta;
    int wrong = 0;
    check(cudaMalloc(&hash, seeds * sizeof *hash), "memory");
    check(cudaMalloc(&cta, seeds * sizeof *cta), "memory");
    every<<<seeds / 32, 32>>>(hash, cta);
    uint32_t *copy = (uint32_t *)malloc(seeds * sizeof *copy);
    check(cudaMemcpy(copy, hash, seeds * sizeof *copy, cudaMemcpyDeviceToHost), "every function");
    for (uint32_t i = 0; i < seeds; i++) {
        wrong += copy[i] != every_function(i, &host_cta);
    }
    printf("every function: %u seeds, %d differ between host and device\n", seeds, wrong);
    free(copy);
    return wrong;
}

static int compare_with_mbarrier(void)
{
    struct difference *out, copy;
    uint32_t sequences = 1;
    for (uint32_t i = 0; i < length; i++) {
        sequences *= operations;
    }
    check(cudaMalloc(&out, sizeof *out), "memory");
    check(cudaMemset(out, 0, sizeof *out), "memory");
    all_sequences<<<512, block_size>>>(sequences, out);
    check(cudaMemcpy(&copy, out, sizeof copy, cudaMemcpyDeviceToHost), "all sequences");
    printf("mbarrier: %llu steps of %u sequences of %u operations compared\n", copy.compared,
           3 * sequences, length);
    if (copy.what != 0) {
        printf("count %u, sequence", copy.count);
        for (uint32_t i = 0, rest = copy.sequence; i <= copy.step; i++, rest /= operations) {
            printf(" %u", rest % operations);
        }
        printf(": difference %u\n", copy.what);
    }
    return copy.what != 0;
}

int main(void)
{
    int major = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess ||
        major < 9) {
        printf("skipped: no GPU of compute capability 9.0 or later\n");
        return 77;
    }
    int wrong = compare_with_host();
    return compare_with_mbarrier() != 0 || wrong != 0;
}
