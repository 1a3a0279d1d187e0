#pragma once
__global__ void partial(int *data);
__global__ void full(int *data);
