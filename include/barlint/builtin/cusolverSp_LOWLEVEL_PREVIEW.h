// Part of cusolverSp.h here.
#pragma once
#include "cusolverSp.h"
