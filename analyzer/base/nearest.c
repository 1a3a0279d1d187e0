#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 64 }; // longer words are never suggested

void nearest_init(struct nearest *nearest, const char *word)
{
    *nearest = (struct nearest){.word = word, .distance = SIZE_MAX};
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Edit distance with neighbouring letters swapped counting as one edit.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= b_length; ++j)
        row[0][j] = j;
    for (size_t i = 1; i <= a_length; ++i) {
        size_t *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_length; ++j) {
            size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            now[j] = smaller(smaller(last[j] + 1, now[j - 1] + 1), last[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->word), other = strlen(candidate);
    if (length > LONGEST || other > LONGEST || length == 0)
        return;
    size_t distance = edit_distance(nearest->word, length, candidate, other);
    if (length >= 3 && other > length && strncmp(candidate, nearest->word, length) == 0)
        distance = smaller(distance, 2); // the word was begun and not ended
    if (distance > other / 3 + 1 || distance >= other || distance >= nearest->distance)
        return;
    nearest->best = candidate;
    nearest->distance = distance;
}
