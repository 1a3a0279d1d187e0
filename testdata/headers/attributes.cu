// Attributes as sources write them, in every position.
template <typename T> struct Dynamic {
    __device__ operator T *()
    {
        extern __shared__ int words[];
        return reinterpret_cast<T *>(words);
    }
};

template <int n> struct Emptied {
    unsigned long long word;
    __device__ ~Emptied()
    {
    }
};

__shared__ int at_file_scope[4];
__constant__ float table[16];
__device__ int counter;
__managed__ int managed;
extern __shared__ __align__(16) unsigned char dynamic_at_file_scope[];

template <int block>
__global__ __launch_bounds__(block * 2, 1) void bounded(int *out, const __grid_constant__ int scale)
{
    extern __shared__ __align__(1024) unsigned char dynamic[];
    __shared__ Emptied<block> one;
    __shared__ Emptied<block> several[block / 32];
    __shared__ alignas(128) int aligned[block];
    static __shared__ int first;
    __shared__ static int second;
    __shared__ __align__(8) char third[8];
    auto set = [] { first = 1; };
    set();
    int *typed = Dynamic<int>();
    typed[0] = second + third[0];
    out[0] = int(one.word + several[0].word) + aligned[0] + at_file_scope[0] + dynamic[0] + scale +
             managed + counter + int(table[0]) + dynamic_at_file_scope[0];
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256) clustered()
{
}
__global__ void __cluster_dims__(4) clustered_in_one_dimension()
{
}
__global__ void __block_size__((128, 2, 1), (2, 1, 1)) sized()
{
}
__global__ void __block_size__((64, 2)) sized_without_cluster()
{
}
__global__ void __maxnreg__(32) frugal()
{
}
extern "C" __global__ void __launch_bounds__(128, 4, 2) exported()
{
}

static __device__ __forceinline__ int inlined(int x)
{
    return x;
}
__host__ __device__ __noinline__ int both(int x)
{
    return x;
}
__global__ void other_kernel_same_name(float *out)
{
    extern __shared__ __align__(1024) unsigned char dynamic[];
    __shared__ float tile[32];
    out[0] = tile[dynamic[0]] + inlined(both(1));
}

void launch(int *p)
{
    bounded<64><<<dim3(2, 2), 128, 1024, nullptr>>>(p, 3);
    clustered<<<4, 256>>>();
}
