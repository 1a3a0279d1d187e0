// Of PyTorch.
#pragma once
#include "../barlint_torch.h"
#include <pybind11/pybind11.h>
namespace py = pybind11;
