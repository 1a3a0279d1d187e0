// Of pybind11.
#pragma once
#include "pybind11.h"
