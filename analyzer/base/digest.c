#include "base/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

struct digest digest_of(const void *bytes, size_t length)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    return (struct digest){hash.high64, hash.low64};
}

bool digest_equal(const struct digest *a, const struct digest *b)
{
    return a->high == b->high && a->low == b->low;
}

void digest_write(const struct digest *digest, char out[DIGEST_HEX])
{
    snprintf(out, DIGEST_HEX, "%016" PRIx64 "%016" PRIx64, digest->high, digest->low);
}

// XXH3's state is aligned beyond what malloc promises, so the library allocates it.
struct digester *digester_new(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        abort();
    XXH3_128bits_reset(state);
    return (struct digester *)state;
}

void digester_add(struct digester *digester, const void *bytes, size_t length)
{
    digester_number(digester, length);
    XXH3_128bits_update((XXH3_state_t *)digester, bytes, length);
}

void digester_text(struct digester *digester, const char *text)
{
    if (text)
        digester_add(digester, text, strlen(text));
    else
        digester_number(digester, UINT64_MAX);
}

void digester_number(struct digester *digester, uint64_t number)
{
    XXH3_128bits_update((XXH3_state_t *)digester, &number, sizeof number);
}

struct digest digester_end(struct digester *digester)
{
    XXH128_hash_t hash = XXH3_128bits_digest((XXH3_state_t *)digester);
    XXH3_freeState((XXH3_state_t *)digester);
    return (struct digest){hash.high64, hash.low64};
}
