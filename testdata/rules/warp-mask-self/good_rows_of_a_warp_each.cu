// Four lanes look at one place of a table of hashes, eight places for each warp. The block has rows of a
// warp each, of which this unit says no more than how many threads there are at most.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(1024)
    find_all(const int *__restrict__ keys, const int2 *__restrict__ table, int capacity, int count,
             int rows, int *__restrict__ found)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const unsigned part = threadIdx.x / 4, lane = threadIdx.x % 4;
    const unsigned mask = 0xfu << (4 * part);
    for (int i = 0; i + part < count; i += 8) {
        const int key = keys[row * count + i + part];
        int slot = key % capacity;
        while (true) {
            const int2 entry = table[(slot + lane) % capacity];
            const bool hit = entry.x == key;
            if (hit)
                found[row * count + i + part] = entry.y;
            if (__any_sync(mask, hit))
                break;
            if (__any_sync(mask, entry.x == -1))
                break;
            slot += 4;
        }
    }
}
