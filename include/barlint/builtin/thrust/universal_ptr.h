// Part of the Thrust declarations.
#pragma once
#include "barlint_thrust.h"
