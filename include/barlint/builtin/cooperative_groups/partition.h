// binary_partition and labeled_partition come with the groups.
#pragma once
#include "../cooperative_groups.h"
