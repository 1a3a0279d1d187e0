// The C library, where the machine has none: memory, numbers from text, sorting, the end of the
// program.
#ifndef BARLINT_STD_STDLIB_H
#define BARLINT_STD_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
typedef struct {
    int quot, rem;
} div_t;
extern "C" {
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *aligned_alloc(size_t align, size_t size);
int posix_memalign(void **block, size_t align, size_t size);
void free(void *block);
void abort() __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
void _Exit(int status) __attribute__((noreturn));
int atexit(void (*f)());
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
int rand();
void srand(unsigned int seed);
long random();
void srandom(unsigned int seed);
double drand48();
void srand48(long seed);
int abs(int x);
long labs(long x);
long long llabs(long long x);
div_t div(int a, int b);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int system(const char *command);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));
}

#endif
