#pragma once
__global__ void fold(unsigned *data, unsigned long long n, unsigned long long rows);
__global__ void mirror(unsigned *data, unsigned long long n);

struct Tiles {
    unsigned *data;
    struct {
        unsigned first, count;
    } of;
};
__global__ void turn(Tiles tiles);
__global__ void turn_rest(Tiles tiles);
