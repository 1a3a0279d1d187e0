// The C library, where the machine has none: threads.
#ifndef BARLINT_STD_PTHREAD_H
#define BARLINT_STD_PTHREAD_H

typedef unsigned long pthread_t;
typedef struct barlint_pthread_attr pthread_attr_t;
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*f)(void *), void *argument);
extern "C" int pthread_join(pthread_t thread, void **result);

#endif
