#define STB_DS_IMPLEMENTATION
#include "base/vec.h"
