// A run in parts, each on a machine of its own: `check --shard=2/4` analyses its share of the units
// and puts what it found out of each into its JSON; `barlint merge` is a check that takes results
// from such documents instead of workers. What units say about each other is told in the merge.
#ifndef BARLINT_DRIVER_SHARD_H
#define BARLINT_DRIVER_SHARD_H

#include "driver/run/units.h"
#include "driver/run/work.h"

// Leaves the units of one shard: files are dealt out, the largest first, to the shard that has
// least so far, and a file's units stay together. Headers of folders are left to the merge.
void shard_select(struct units *units, unsigned index, unsigned count);

// The document's part about a run of a shard: which one it is, and of which command. More follows
// with shard_add(). The caller owns the result.
json_t *shard_begin(const struct options *options);
void shard_add(json_t *shard, const struct work_unit *unit);

// What the documents hold, by the keys of units; see key.h.
struct given;

// Fills in the result of a unit with that key (hexadecimal). False when no document knows it; a
// unit of which the analysis failed is known and has no result. Text belongs to `given`.
bool given_find(const struct given *given, const char *key, const char **out_result,
                const char **out_links);

// Fails with ERROR_USAGE when some unit is in no document: its key has changed since, or its file.
bool given_covers(const struct given *given, const struct kept_unit *known, const struct unit *unit,
                  size_t count, struct error *error);

#endif
