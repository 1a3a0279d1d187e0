// Messages about threads: one of them waits, several wait.
#ifndef BARLINT_BASE_WORDING_H
#define BARLINT_BASE_WORDING_H

// Chooses, in place, between the two forms in each "{waits|wait}" of a text: the first where the
// threads named last before it are one ("thread 0 of 128"), the second otherwise. What else stands
// in braces stays as it is.
void wording_agree(char *text);

#endif
