// Part of curand.h here.
#pragma once
#include "curand.h"
