#include "driver/settings/settings.h"

#include "base/vec.h"
#include "driver/driver.h"

// The configuration for what is found in a file. One that lies outside every project has none of
// its own: that of the current folder holds for it.
static const struct config *config_of(struct settings *settings, const char *file)
{
    struct error error = {0};
    struct units *units = settings->units;
    const struct config *config = units_config(units, settings->options, file, &error);
    if (config && !config->path)
        config = units_config(units, settings->options,
                              arena_printf(&units->arena, "%s/.", units->folder), &error);
    if (!config && settings->error.kind == ERROR_NONE)
        settings->error = error;
    return config ? config : units->configs.config[0];
}

// For the report: what the command line and the configuration say of a rule in a file. A rule that
// is asked for with --rule runs whatever the configuration says.
static bool judge(void *context, const char *file, const char *id, enum rule_level *level)
{
    struct settings *settings = context;
    if (!rule_is_wanted(settings->options, id))
        return false;
    const struct config_rule *rule = config_find_rule(config_of(settings, file), file, id);
    if (rule && rule->has_level)
        *level = rule->level;
    return !rule || rule->on || arrlen(settings->options->only) > 0;
}

static bool needs_reason(void *context, const char *file)
{
    return config_of(context, file)->require_reason;
}

static bool check_rule_names(const char *const *list, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; ++i) {
        if (!driver_find_rule(list[i], error))
            return false;
    }
    return true;
}

bool rules_exist(const struct options *options, struct error *error)
{
    return check_rule_names(options->only, arrlenu(options->only), error) &&
           check_rule_names(options->disabled, arrlenu(options->disabled), error);
}

struct report_settings settings_of(struct settings *settings)
{
    return (struct report_settings){settings, judge, needs_reason};
}
