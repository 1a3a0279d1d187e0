// Of PyTorch.
#pragma once
#include "../barlint_torch.h"
