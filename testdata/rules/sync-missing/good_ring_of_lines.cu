// A window slides over lines that stand in a ring: while one line is loaded, all others are read, and
// a barrier ends each step. The line that is loaded is never in the window.
constexpr int window = 7, reach = window / 2, ring = window + 1, width = 128, steps = 16;

template <typename Pixel>
__global__ void census(const Pixel *__restrict__ in, unsigned *__restrict__ out, int columns,
                       int rows, int pitch)
{
    __shared__ Pixel line[ring][width];
    const int x = blockIdx.x * (width - 2 * reach) - reach + static_cast<int>(threadIdx.x);
    const int first = blockIdx.y * steps;
    for (int i = 0; i < window; ++i) {
        const int y = first - reach + i;
        Pixel value = 0;
        if (0 <= x && x < columns && 0 <= y && y < rows)
            value = in[x + y * pitch];
        line[i][threadIdx.x] = value;
    }
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        if (i + 1 < steps) {
            const int y = first + reach + i + 1;
            Pixel value = 0;
            if (0 <= x && x < columns && 0 <= y && y < rows)
                value = in[x + y * pitch];
            line[(window + i) % ring][threadIdx.x] = value;
        }
        if (reach <= threadIdx.x && threadIdx.x < width - reach) {
            const int y = first + i;
            if (reach <= x && x < columns - reach && reach <= y && y < rows - reach) {
                const int middle = (reach + i) % ring;
                const Pixel own = line[middle][threadIdx.x];
                unsigned bits = 0;
                for (int dy = -reach; dy <= reach; ++dy) {
                    for (int dx = -reach; dx <= reach; ++dx) {
                        if (dx != 0 && dy != 0)
                            bits = bits << 1 |
                                   (own > line[(middle + dy + ring) % ring][threadIdx.x + dx]);
                    }
                }
                out[x + y * columns] = bits;
            }
        }
        __syncthreads();
    }
}

void run(const unsigned char *in, unsigned *out, int columns, int rows, int pitch)
{
    const dim3 grid((columns + width - 2 * reach - 1) / (width - 2 * reach), (rows + steps - 1) / steps);
    census<<<grid, width>>>(in, out, columns, rows, pitch);
}
