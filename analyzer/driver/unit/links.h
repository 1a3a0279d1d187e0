// What a unit tells other units, and what it is told by them: launches of kernels that another unit
// defines, and with relocatable device code the bodies of device functions.
#ifndef BARLINT_DRIVER_LINKS_H
#define BARLINT_DRIVER_LINKS_H

#include <jansson.h>

#include "base/digest.h"
#include "driver/unit/analyse.h"

// What one parse has for other units and lacks of them:
//   "arch"        it was made for
//   "launches"    of kernels that the unit does not define: "kernel" (its key), the shape, the
//   place "kernels"     it defines and others may launch: their keys, with the place of the
//   definition "unlaunched"  keys of those that it does not launch itself "defines"     device
//   functions that others may call: "key", "place", "arch", "text" (IR) and
//                 "needs", the keys of functions that the text leaves undefined
//   "undefined"   keys of device functions that are called here and defined elsewhere
json_t *links_of(const struct parsed *parsed);
// Whether a unit with a list of these, of each of its parses, has something to be told.
bool links_are_open(const json_t *links);

// What other units say about one: "launches" and "defines" as above. Immutable, shared by workers.
struct foreign {
    const json_t *launches, *defines;
    struct digest digest;
};

// Gives functions of the unit the bodies that other units define; before anything is worked out
// about the unit.
void links_import(struct parsed *parsed, const struct foreign *foreign);
// Adds the launches that other units make of kernels that this one does not launch.
void links_launch(struct parsed *parsed, const struct foreign *foreign);

#endif
