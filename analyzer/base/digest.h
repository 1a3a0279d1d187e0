// A hash that stands for a content: XXH3's 128 bits. It is no protection against somebody who makes
// two contents collide; it guards against change and damage.
#ifndef BARLINT_BASE_DIGEST_H
#define BARLINT_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct digest {
    uint64_t high, low;
};

enum { DIGEST_HEX = 33 }; // characters of the written form, its end included

struct digest digest_of(const void *bytes, size_t length);
bool digest_equal(const struct digest *a, const struct digest *b);
// Writes 32 hexadecimal digits.
void digest_write(const struct digest *digest, char out[DIGEST_HEX]);

// A digest of several parts. Each part is told apart from the next: ("ab", "c") is not ("a", "bc").
struct digester;
struct digester *digester_new(void);
void digester_add(struct digester *digester, const void *bytes, size_t length);
void digester_text(struct digester *digester, const char *text); // NULL is unlike ""
void digester_number(struct digester *digester, uint64_t number);
// Returns the digest and frees the digester.
struct digest digester_end(struct digester *digester);

#endif
