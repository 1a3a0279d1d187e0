// Time that this process has used.
#ifndef BARLINT_BASE_CLOCK_H
#define BARLINT_BASE_CLOCK_H

// Processor time of the process so far, in seconds: what others do on the machine is not in it.
double clock_processor_seconds(void);

#endif
