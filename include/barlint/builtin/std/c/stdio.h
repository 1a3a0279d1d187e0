// The C library, where the machine has none: streams.
#ifndef BARLINT_STD_STDIO_H
#define BARLINT_STD_STDIO_H

#include <stddef.h>

typedef struct barlint_FILE FILE;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
extern "C" {
int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int sprintf(char *out, const char *format, ...);
int snprintf(char *out, size_t size, const char *format, ...);
int vprintf(const char *format, __builtin_va_list arguments);
int vfprintf(FILE *stream, const char *format, __builtin_va_list arguments);
int vsnprintf(char *out, size_t size, const char *format, __builtin_va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *stream, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *stream);
int fflush(FILE *stream);
size_t fread(void *out, size_t size, size_t count, FILE *stream);
size_t fwrite(const void *data, size_t size, size_t count, FILE *stream);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
void rewind(FILE *stream);
int feof(FILE *stream);
int ferror(FILE *stream);
int fgetc(FILE *stream);
int getc(FILE *stream);
int getchar();
int fputc(int c, FILE *stream);
int putc(int c, FILE *stream);
int putchar(int c);
char *fgets(char *out, int size, FILE *stream);
int fputs(const char *text, FILE *stream);
int puts(const char *text);
void perror(const char *text);
int remove(const char *path);
}

#endif
