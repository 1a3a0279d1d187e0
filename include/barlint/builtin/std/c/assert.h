// The C library, where the machine has none: assert.
#ifndef BARLINT_STD_ASSERT_H
#define BARLINT_STD_ASSERT_H

extern "C" void __assert_fail(const char *message, const char *file, unsigned int line,
                              const char *function);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))

#endif
