#include <stdlib.h>

#include "kernels.h"

void run(unsigned *data, unsigned long long columns, unsigned long long rows)
{
    if (columns > 2048 || columns % 32)
        abort();
    fold<<<rows, columns / 2>>>(data, columns, rows);
    mirror<<<(columns + 63) / 64, 64>>>(data, columns);
    Tiles tiles = {data, {0, (unsigned)columns / 64 * 64}};
    turn<<<1, 64>>>(tiles);
    tiles.of.count = (unsigned)columns;
    turn_rest<<<1, 64>>>(tiles);
}
