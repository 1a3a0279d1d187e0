// NVTX ranges.
#pragma once
#include "../nvToolsExt.h"
