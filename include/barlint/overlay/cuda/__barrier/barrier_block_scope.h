// Stands before libcu++'s header of this name; barlint/targets_off.h says why.
#pragma GCC system_header

#include <barlint/targets_off.h>
#include_next <cuda/__barrier/barrier_block_scope.h>
#include <barlint/targets_on.h>
