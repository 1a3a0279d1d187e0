#include "rules/facts.h"

#include <stdio.h>

#include "base/vec.h"

const struct engine_object *event_object(const struct engine_result *result,
                                         const struct engine_event *event)
{
    return event->object < arrlenu(result->object) ? &result->object[event->object] : NULL;
}

bool event_is_named(const struct engine_event *event)
{
    enum model_kind kind = event->model.kind;
    return kind == MODEL_NAMED_SYNC || kind == MODEL_NAMED_ARRIVE || kind == MODEL_NAMED_RED;
}

bool event_is_mbarrier(const struct engine_event *event)
{
    enum model_kind kind = event->model.kind;
    return kind >= MODEL_MBARRIER_INIT && kind <= MODEL_MBARRIER_ASYNC_ARRIVE &&
           kind != MODEL_MBARRIER_PENDING;
}

const char *range_text(const struct engine_range *range, char *buffer)
{
    if (range->low == range->high)
        snprintf(buffer, RANGE_TEXT, "%lld", (long long)range->low);
    else
        snprintf(buffer, RANGE_TEXT, "%lld to %lld", (long long)range->low, (long long)range->high);
    return buffer;
}

const char *event_threads(const struct engine_event *event)
{
    return event->threads.text && event->threads.text[0] ? event->threads.text : "some threads";
}
