// The opaque descriptor of a tensor copy.
#ifndef BARLINT_TENSOR_MAP_H
#define BARLINT_TENSOR_MAP_H

typedef struct CUtensorMap_st {
    alignas(64) unsigned long long opaque[16];
} CUtensorMap;

#endif
