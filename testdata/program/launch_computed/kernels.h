#pragma once
__global__ void fold(unsigned *data, unsigned long long n, unsigned long long rows);
__global__ void mirror(unsigned *data, unsigned long long n);
