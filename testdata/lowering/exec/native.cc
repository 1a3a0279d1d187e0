// Runs the cases natively: one line a case, its name and its number.
#include "case.h"

int main()
{
    for (registration *at = registration::first(); at; at = at->next)
        std::printf("%s %d\n", at->name, at->run());
}
