// Time.
#ifndef BARLINT_BASE_CLOCK_H
#define BARLINT_BASE_CLOCK_H

// Processor time of the process so far, in seconds: what others do on the machine is not in it.
double clock_processor_seconds(void);

// Time that passes for everybody, in seconds since some moment.
double clock_seconds(void);

#endif
