// cuFFT.
#pragma once
#include "cufft.h"
