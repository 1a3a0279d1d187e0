// What an editor shows of a barrier where the mouse rests: what it expects, who initialises it, who
// comes to it, how many phases were seen to complete. Taken from the engine's results while a unit
// is analysed.
#ifndef BARLINT_LSP_HOVER_H
#define BARLINT_LSP_HOVER_H

#include "engine/engine.h"
#include "lsp/show.h"

// An operation that is told of, on a line of its own.
struct lsp_told {
    struct finding_place place;
    const char *text;
};

// Markdown: a beginning, operations, an end.
struct lsp_fact {
    struct finding_place place;
    const char *begin, *end;
    const struct lsp_told *told;
    size_t told_count;
};

// Facts by place; their text is the arena's.
struct lsp_facts {
    struct arena arena;
    struct lsp_fact *fact; // stb_ds array
};

void lsp_facts_init(struct lsp_facts *facts);
void lsp_facts_release(struct lsp_facts *facts);

// Adds what one result says. Relative names of its files are relative to `folder`.
void lsp_facts_add(struct lsp_facts *facts, const struct engine_result *result, const char *folder);

// The facts as JSON, and the facts of such JSON added to others, as if they had come from a result.
json_t *lsp_facts_keep(const struct lsp_facts *facts);
void lsp_facts_take(struct lsp_facts *facts, const json_t *json);

// {URI: [{"range": Range, "text": Markdown}]} for the open documents of the view.
json_t *lsp_facts_to_json(const struct lsp_facts *facts, const struct lsp_view *view);

#endif
