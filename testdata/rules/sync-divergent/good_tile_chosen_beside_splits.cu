// Rows are tiled by the smallest tile that holds them all, as long as one does: a block of a small
// tile has no rows behind its tile. Beside the tile the same function chooses, in a loop that goes
// by quotients that are not followed to the end, how often the depth is split.
struct choice {
    int tile, width, depth;
};

template <int TILE>
__global__ void multiply(const float *rows, float *out, int count)
{
    __shared__ float shared[256];
    int row = blockIdx.x * TILE + threadIdx.x / 4;
    shared[threadIdx.x] = rows[blockIdx.x];
    if (threadIdx.x >= TILE * 4 && row < count)
        __syncthreads(); // never: these rows would be in a second block of a tile that holds all
    out[row * 4 + threadIdx.x % 4] = shared[threadIdx.x];
}

static void choose(int count, int columns, int depth, int processors, choice &out)
{
    int times = (count + 15) / 16;
    int tile = times <= 4 ? times * 16 : 64;
    int across = (count + tile - 1) / tile;
    int width = float(across * ((columns + 127) / 128)) / processors > 10 || tile < 64 ? 256 : 128;
    int down = (columns + width - 1) / width;
    int splits;
    for (splits = 1; splits < depth / 256; ++splits) {
        int blocks = across * down * splits;
        if (blocks >= processors * 0.8f &&
            (blocks % processors == 0 || blocks % processors >= processors * 0.5f))
            break;
    }
    out.tile = tile;
    out.width = width;
    out.depth = (depth / splits) % 32 == 0 ? depth / splits : depth / splits / 32 * 32 + 32;
}

void product(const float *rows, float *out, int count, int columns, int depth, int processors)
{
    choice chosen;
    choose(count, columns, depth, processors, chosen);
    dim3 grid((count + chosen.tile - 1) / chosen.tile, (columns + chosen.width - 1) / chosen.width,
              (depth + chosen.depth - 1) / chosen.depth);
    int threads = chosen.width == 256 ? 256 : 128;
    if (chosen.tile == 16 && threads == 256)
        multiply<16><<<grid, threads>>>(rows, out, count);
    else if (chosen.tile == 32 && threads == 256)
        multiply<32><<<grid, threads>>>(rows, out, count);
    else if (chosen.tile == 64)
        multiply<64><<<grid, threads>>>(rows, out, count);
}
