// The sides of the block share 512 threads: each is at most what the other leaves. What they are
// beside the limit is asked of the device and the data.
#include <algorithm>

int warp_size();

struct sides {
    static constexpr int most = 512;
    int width, height;

    static int power(int n)
    {
        int power = 1;
        while (power * 2 <= n)
            power *= 2;
        return power;
    }

    sides(int columns, int rows)
    {
        int across = columns < most ? power(columns) : most;
        int down = rows < most ? power(rows) : most;
        width = std::min(across, warp_size());
        height = std::min(down, most / width);
        width = std::min(across, most / height);
    }
};

__global__ void sums_of_rows(const float *in, float *out, int columns)
{
    extern __shared__ float partial[];
    float *row = partial + threadIdx.y * blockDim.x;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += in[(blockIdx.x * blockDim.y + threadIdx.y) * columns + i];
    row[threadIdx.x] = sum;
    __syncthreads();
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
        if (threadIdx.x < offset)
            row[threadIdx.x] += row[threadIdx.x + offset];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x * blockDim.y + threadIdx.y] = row[0];
}

void run(const float *in, float *out, int columns, int rows)
{
    sides sides(columns, rows);
    dim3 block(sides.width, sides.height);
    int bytes = sides.width * sides.height * sizeof(float);
    sums_of_rows<<<rows / sides.height, block, bytes>>>(in, out, columns);
}
