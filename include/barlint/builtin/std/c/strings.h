// The C library, where the machine has none: text.
#pragma once
#include <string.h>
