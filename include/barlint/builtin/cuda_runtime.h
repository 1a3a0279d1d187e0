// The runtime: force-included already.
#pragma once
#include "barlint_core.h"
