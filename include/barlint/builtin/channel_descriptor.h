// Part of what is force-included already.
#pragma once
#include "barlint_core.h"
