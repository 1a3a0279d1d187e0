// What the types of an operation's arguments say, and the tags of cuda::ptx among them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/match.h"

// --- Types -------------------------------------------------------------------------------------

const struct ir_type *match_type(const struct match *match, ir_type_id type)
{
    return type < arrlenu(match->unit->type) ? &match->unit->type[type] : NULL;
}

// The type behind pointers and references.
static const struct ir_type *pointee(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = match_type(match, type);
    for (int depth = 0; found && found->kind == IR_TYPE_POINTER && depth < 4; ++depth)
        found = match_type(match, found->elem);
    return found;
}

const char *match_record_name(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = pointee(match, type);
    bool named = found && (found->kind == IR_TYPE_RECORD || found->kind == IR_TYPE_OPAQUE);
    return named && found->name ? found->name : "";
}

bool match_is_address(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = match_type(match, type);
    return found && (found->kind == IR_TYPE_POINTER || found->kind == IR_TYPE_RECORD ||
                     found->kind == IR_TYPE_ARRAY || found->kind == IR_TYPE_OPAQUE);
}

bool match_is_scalar(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = match_type(match, type);
    return found && (found->kind == IR_TYPE_INT || found->kind == IR_TYPE_FLOAT);
}

int64_t match_template_number(const char *name, bool last)
{
    int64_t number = 0;
    bool fresh = false;
    const char *at = strchr(name, '<');
    for (; at && *at; ++at) {
        if (*at == '<' || *at == ',') {
            fresh = true;
        } else if (fresh && isdigit((unsigned char)*at)) {
            number = strtoll(at, NULL, 0);
            if (!last)
                return number;
            fresh = false;
        } else if (!isspace((unsigned char)*at)) {
            fresh = false;
        }
    }
    return number;
}

bool match_first_integer(const struct ir_template_arg *arg, int64_t *out)
{
    for (ptrdiff_t i = 0; i < arrlen(arg); ++i) {
        if (arg[i].kind == IR_ARG_INT) {
            *out = arg[i].value;
            return true;
        }
    }
    return false;
}

// --- Tags --------------------------------------------------------------------------------------

// What a tag's last word is: "release" of "...dot_sem, cuda::ptx::dot_sem::release>" and of
// "cuda::ptx::sem_release_t", by number where the type's name gives "dot_sem, 3>" or
// "(cuda::ptx::dot_sem)3".
static bool tag_is(const char *name, const char *family, const char *word, int number)
{
    char text[64];
    if (!strstr(name, family)) // nearly always
        return false;
    size_t length = strlen(name);
    snprintf(text, sizeof text, "dot_%s::%s>", family, word);
    if (strstr(name, text))
        return true;
    snprintf(text, sizeof text, "dot_%s)%d>", family, number);
    if (strstr(name, text))
        return true;
    snprintf(text, sizeof text, "dot_%s, %d>", family, number);
    if (strstr(name, text))
        return true;
    snprintf(text, sizeof text, "::%s_%s_t", family, word);
    size_t tail = strlen(text);
    return length >= tail && strcmp(name + length - tail, text) == 0;
}

bool match_is_tag(const char *name)
{
    static const char *const part[] = {
        "dot_sem",  "dot_scope", "dot_space", "dot_op",       "dot_cta_group", "dot_kind", "::sem_",
        "::scope_", "::space_",  "::op_",     "::cta_group_", "::kind_",       "::n32_t"};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i)
        if (strstr(name, part[i]))
            return true;
    return strstr(name, "integral_constant<int,") != NULL;
}

void match_read_tags(struct match *match)
{
    struct model_op *out = match->out;
    const char *source_space = "", *destination_space = "";
    for (uint32_t i = 0; i < match->tag_count; ++i) {
        const char *tag = match->tag[i];
        uint32_t order = MODEL_RELEASE | MODEL_ACQUIRE | MODEL_RELAXED;
        if (tag_is(tag, "sem", "relaxed", 2))
            out->flags = (out->flags & ~order) | MODEL_RELAXED;
        if (tag_is(tag, "sem", "release", 3))
            out->flags = (out->flags & ~order) | MODEL_RELEASE;
        if (tag_is(tag, "sem", "acquire", 1))
            out->flags = (out->flags & ~order) | MODEL_ACQUIRE;
        if (tag_is(tag, "scope", "cluster", 1))
            out->flags |= MODEL_SCOPE_IS_CLUSTER;
        if (tag_is(tag, "cta_group", "cta_group_2", 1) || tag_is(tag, "cta_group", "2", 1))
            out->flags |= MODEL_CTA_PAIR;
        if (strstr(tag, "space")) {
            destination_space = source_space[0] ? source_space : tag;
            source_space = tag;
        }
        if (strstr(tag, "integral_constant<int,") || strstr(tag, "::n32_t"))
            out->prior_constant = match_template_number(tag, true);
        // What a thread acquires it has not written itself.
        if (out->fence == MODEL_FENCE_PROXY_ASYNC && tag_is(tag, "sem", "acquire", 1))
            out->fence = MODEL_FENCE_PROXY_OTHER;
        if (out->fence == MODEL_FENCE_PROXY_ASYNC && strstr(tag, "space"))
            out->fence = tag_is(tag, "space", "global", 0) ? MODEL_FENCE_PROXY_OTHER
                                                           : MODEL_FENCE_PROXY_ASYNC_SHARED;
        if (out->kind == MODEL_FENCE && out->fence == MODEL_FENCE_OTHER) {
            if (tag_is(tag, "scope", "cta", 0))
                out->fence = MODEL_FENCE_THREAD_BLOCK;
            else if (tag_is(tag, "scope", "cluster", 1))
                out->fence = MODEL_FENCE_CLUSTER;
            else if (tag_is(tag, "scope", "gpu", 2))
                out->fence = MODEL_FENCE_GPU;
            else if (tag_is(tag, "scope", "sys", 3))
                out->fence = MODEL_FENCE_SYSTEM;
        }
    }
    // One space names the object; of two, a copy inside the cluster completes where it goes.
    bool two = source_space != destination_space;
    if (tag_is(destination_space, "space", "cluster", 1) &&
        (!two || tag_is(source_space, "space", "shared", 2)) && out->kind != MODEL_FENCE)
        out->flags |= MODEL_REMOTE;
}
