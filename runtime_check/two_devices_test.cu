// Two devices of one process that make different mistakes at the same time, and one that both make. Where
// there are two GPUs:
//
//     barlint nvcc -arch=sm_90a -lineinfo -o two_devices_test runtime_check/two_devices_test.cu
//     ./two_devices_test
//
// It reads what was told as it ends: status 0 where that is right, 1 where it is not, 77 where there are
// fewer than two devices. With BARLINT_RT_SHADOW=global before both lines: shadows in global memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unistd.h>

enum { MISTAKES = 40, THREADS = 64 };

// A mistake at a place of its own; the comment keeps the compiler from making several one.
template <int N> __device__ __forceinline__ void make_mistake(int threads) // no multiple of 32
{
    asm volatile("// %1\n\tbarrier.cta.sync 1, %0;" ::"r"(threads), "n"(N) : "memory");
}

// Each block makes another one: many enough that those of two devices would meet in one table.
template <int OFFSET, int... N>
__device__ __forceinline__ void make_one(int threads, std::integer_sequence<int, N...>)
{
    ((blockIdx.x == N ? make_mistake<OFFSET + N>(threads) : void()), ...);
}

template <int OFFSET> __global__ void wrong(int threads)
{
    make_one<OFFSET>(threads, std::make_integer_sequence<int, MISTAKES>());
}

// Every round, all threads arrive at one mbarrier and wait for each other. Nothing is wrong with it.
__global__ void right(int rounds, int *out)
{
    __shared__ unsigned long long bar;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        asm volatile("{\n.reg .b64 t;\n.reg .pred p;\nmbarrier.arrive.shared.b64 t, [%0];\n"
                     "AGAIN:\nmbarrier.test_wait.shared.b64 p, [%0], t;\n@!p bra AGAIN;\n}" ::"r"(at)
                     : "memory");
        if (out != nullptr && threadIdx.x == 0)
            out[blockIdx.x] = round;
    }
}

static char told[64];

static int fail(const char *what, int wanted, int got)
{
    if (wanted != got)
        fprintf(stderr, "two_devices_test: %s: %d instead of %d\n", what, got, wanted);
    return wanted != got;
}

// After the library's own end, which comes first.
static void check()
{
    FILE *in = fopen(told, "r");
    char line[65536];
    int by[2] = {0, 0}, by_both = 0, others = 0;
    while (in != nullptr && fgets(line, sizeof line, in) != nullptr) {
        if (strstr(line, "\"rule\"") == nullptr)
            continue; // a place
        if (strstr(line, "\"named-count-block\"") != nullptr)
            continue; // what follows from the same count
        const bool expected = strstr(line, "\"named-count-multiple\"") != nullptr;
        others += !expected;
        by_both += expected && strstr(line, "\"devices\":[0,1]") != nullptr;
        by[0] += expected && strstr(line, "\"devices\":[0]") != nullptr;
        by[1] += expected && strstr(line, "\"devices\":[1]") != nullptr;
    }
    if (in != nullptr)
        fclose(in);
    unlink(told);
    // One is told by device 0 first, and once more with the sum of both.
    int wrong = fail("told of device 0 alone", MISTAKES + 1, by[0]);
    wrong |= fail("told of device 1 alone", MISTAKES, by[1]);
    wrong |= fail("told of both devices", 1, by_both);
    wrong |= fail("told besides", 0, others);
    fputs(wrong ? "two_devices_test: wrong\n" : "two_devices_test: as it should be\n", stderr);
    fflush(stderr);
    if (wrong)
        _exit(1);
}

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) {
        fputs("two_devices_test: there are not two devices\n", stderr);
        return 77;
    }
    snprintf(told, sizeof told, "/tmp/two_devices_test.%d.json", (int)getpid());
    setenv("BARLINT_RT_JSON", told, 1);
    unsetenv("BARLINT_RT_FATAL");
    atexit(check);
    for (int d = 0; d < 2; ++d) { // both at the same time
        cudaSetDevice(d);
        right<<<64, THREADS>>>(2000, nullptr);
        if (d == 0)
            wrong<0><<<MISTAKES, 32>>>(48);
        else
            wrong<MISTAKES><<<MISTAKES, 32>>>(48);
        right<<<64, THREADS>>>(2000, nullptr);
    }
    int failed = 0;
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        failed |= cudaDeviceSynchronize() != cudaSuccess;
    }
    usleep(100000); // so that what comes now comes after it was printed
    cudaSetDevice(0);
    wrong<2 * MISTAKES><<<1, 32>>>(48);
    failed |= cudaDeviceSynchronize() != cudaSuccess;
    usleep(100000);
    cudaSetDevice(1);
    wrong<2 * MISTAKES><<<1, 32>>>(48);
    failed |= cudaDeviceSynchronize() != cudaSuccess;
    if (failed)
        fputs("two_devices_test: a kernel failed\n", stderr);
    return failed;
}
