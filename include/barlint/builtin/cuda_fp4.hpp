// Part of cuda_fp4.h here.
#pragma once
#include "cuda_fp4.h"
