// nvcuda::wmma as barlint reads it: the toolkit's functions end in builtins without a body.
#pragma GCC system_header
#include "../builtin/mma.h"
