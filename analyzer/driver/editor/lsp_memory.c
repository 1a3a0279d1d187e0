// What was found out about kernels: an analysis starts anew only with those that a change touches.
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "driver/editor/lsp.h"

// So many kernels are remembered; beyond that those that were not used for longest are forgotten.
enum { MOST_KERNELS = 4000 };

static json_t *find(void *context, const char *key)
{
    const struct server *server = context;
    struct lsp_memory *remembered = server->remembered;
    ptrdiff_t known = shgeti(remembered, key);
    return known >= 0 ? json_incref(remembered[known].value.kept) : NULL;
}

void server_memory_init(struct server *server)
{
    sh_new_strdup(server->remembered);
    server->memory = (struct kernel_memory){find, server};
}

void server_memory_release(struct server *server)
{
    for (ptrdiff_t i = 0; i < shlen(server->remembered); ++i)
        json_decref(server->remembered[i].value.kept);
    shfree(server->remembered);
}

static int compare_use(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

// Forgets what was used no later than half of all.
static void forget_half(struct server *server)
{
    uint64_t *used = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < shlen(server->remembered); ++i)
        arrput(used, server->remembered[i].value.used);
    qsort(used, arrlenu(used), sizeof *used, compare_use);
    uint64_t last = used[arrlen(used) / 2];
    arrfree(used);
    for (ptrdiff_t i = shlen(server->remembered); i > 0; --i) {
        struct lsp_memory *one = &server->remembered[i - 1];
        if (one->value.used > last)
            continue;
        json_decref(one->value.kept);
        shdel(server->remembered, one->key);
    }
}

void server_remember(struct server *server, const json_t *kernels)
{
    const char *key;
    json_t *kept;
    ++server->analyses;
    json_object_foreach ((json_t *)kernels, key, kept) {
        ptrdiff_t known = shgeti(server->remembered, key);
        struct lsp_memory_entry entry = {NULL, server->analyses};
        if (known >= 0)
            entry.kept = server->remembered[known].value.kept;
        if (!json_is_null(kept)) {
            json_decref(entry.kept);
            entry.kept = json_incref(kept);
        }
        if (entry.kept)
            shput(server->remembered, key, entry);
    }
    if (shlen(server->remembered) > MOST_KERNELS)
        forget_half(server);
}
