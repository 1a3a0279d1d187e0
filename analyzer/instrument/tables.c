// The table of a module's places, as C++ for the host's compiler or as text within the module.
#include <stdlib.h>

#include "barlint/runtime_check/hooks.h"
#include "barlint/runtime_check/sites.h"
#include "instrument/instrument.h"

static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c == '?' || c >= 0x7f) // ? for trigraphs
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void instrument_registration(FILE *out, uint32_t module, const struct instrument_site *site,
                             size_t count)
{
    fprintf(out, "\nstatic const struct barlint_rt_site barlint_rt_sites_of_unit[] = {\n");
    for (size_t i = 0; i < count; ++i) {
        fputc('{', out);
        print_text(out, site[i].file);
        fprintf(out, ", %u, %u, ", site[i].line, site[i].column);
        print_text(out, site[i].function);
        fputs(", ", out);
        print_text(out, site[i].instruction);
        fprintf(out, ", %u, %u},\n", site[i].inlined_at, site[i].bypassed);
    }
    fprintf(out,
            "};\nstatic struct barlint_rt_module barlint_rt_module_of_unit = {\n"
            "(const void *)&barlint_rt_state, %uu, barlint_rt_sites_of_unit, %zuu, 0, 0};\n"
            "static void __attribute__((constructor)) barlint_rt_register_unit(void)\n"
            "{ barlint_rt_register(&barlint_rt_module_of_unit); }\n",
            module, count);
}

// Tabs and ends of lines are what parts the text.
static void put_text(FILE *out, const char *text, char end)
{
    for (; *text; ++text)
        fputc(*text == '\t' || *text == '\n' ? ' ' : *text, out);
    fputc(end, out);
}

void instrument_places(FILE *out, const struct instrumented *module,
                       const struct instrument_options *options)
{
    const struct instrument_site *site = module->site;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return;
    fprintf(stream, "%u\t%u\t%u\n", options->module, options->first_site, module->site_count);
    for (uint32_t i = 0; i < module->site_count; ++i) {
        fprintf(stream, "%u\t%u\t%u\t%u\t", site[i].line, site[i].column, site[i].inlined_at,
                site[i].bypassed);
        put_text(stream, site[i].file, '\t');
        put_text(stream, site[i].function, '\t');
        put_text(stream, site[i].instruction, '\n');
    }
    fclose(stream);
    fprintf(out, "\n.visible .global .align 8 .u64 %s = generic(%s);\n", BARLINT_RT_STATE_AT,
            module->state);
    fprintf(out, ".visible .global .align 1 .b8 barlint_rt_places[%zu] = {", size);
    for (size_t i = 0; i < size; ++i)
        fprintf(out, "%s%u", i ? ", " : "", (unsigned char)text[i]);
    fprintf(out, "};\n");
    free(text);
}
