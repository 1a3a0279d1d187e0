// The C library, where the machine has none: memory.
#pragma once
#include <string.h>
