// A report as an editor shows it: diagnostics, and the actions that mend or silence them.
#ifndef BARLINT_LSP_SHOW_H
#define BARLINT_LSP_SHOW_H

#include "lsp/document.h"
#include "report/report.h"

// What an editor is shown, and how. The sources of the report hold the texts of the open documents.
struct lsp_view {
    struct report *report;
    const struct lsp_document **document; // those that are open
    size_t document_count;
    enum lsp_encoding encoding;
    bool versions;     // the editor takes edits that say which version they are for
    const char *pages; // folder of the rules' pages, NULL where there is none
};

// The document of a path, also by another name of the file; NULL where it is not open.
const struct lsp_document *lsp_view_document(const struct lsp_view *view, const char *path);
// The URI of a path: the editor's own where it is open. Belongs to the arena or to the document.
const char *lsp_view_uri(const struct lsp_view *view, struct arena *arena, const char *path);
// A place as a range: to the end of its line where the place has no end.
struct lsp_range lsp_view_range(const struct lsp_view *view, const struct finding_place *place);

// {"files": {URI: [{"diagnostic": Diagnostic, "actions": [CodeAction]}]},
//  "fix_all": WorkspaceEdit or null}. Call it on a finished report.
json_t *lsp_view_to_json(const struct lsp_view *view);

#endif
