#include "report/xml.h"

#include <stdlib.h>
#include <string.h>

#include <libxml/xmlwriter.h>

#include "base/arena.h"
#include "base/utf8.h"

struct xml {
    xmlBufferPtr buffer;
    xmlTextWriterPtr writer;
};

// Memory is what can run out here; like everywhere, the process then ends with a message.
static void *need(void *pointer)
{
    if (!pointer) {
        fputs("barlint: out of memory\n", stderr);
        exit(4);
    }
    return pointer;
}

// XML 1.0, 2.2: of the control characters only tab, line feed and carriage return, and neither
// U+FFFE nor U+FFFF.
static char *clean(struct arena *arena, const char *text)
{
    char *copy = utf8_clean(arena, text);
    size_t length = strlen(copy), used;
    char *out = arena_alloc(arena, 3 * length + 1), *to = out;
    for (size_t at = 0; at < length; at += used) {
        uint32_t code = utf8_decode(copy + at, length - at, &used);
        bool good = code >= 0x20 ? code != 0xfffe && code != 0xffff
                                 : code == '\t' || code == '\n' || code == '\r';
        memcpy(to, good ? copy + at : "\xef\xbf\xbd", good ? used : 3);
        to += good ? used : 3;
    }
    return out;
}

struct xml *xml_begin(const char *root)
{
    struct xml *xml = need(malloc(sizeof *xml));
    xml->buffer = need(xmlBufferCreate());
    xml->writer = need(xmlNewTextWriterMemory(xml->buffer, 0));
    xmlTextWriterSetIndent(xml->writer, 1);
    xmlTextWriterStartDocument(xml->writer, NULL, "UTF-8", NULL);
    xml_open(xml, root);
    return xml;
}

void xml_end(struct xml *xml, FILE *out)
{
    xmlTextWriterEndDocument(xml->writer);
    xmlFreeTextWriter(xml->writer);
    fputs((const char *)xmlBufferContent(xml->buffer), out);
    xmlBufferFree(xml->buffer);
    free(xml);
}

void xml_open(struct xml *xml, const char *element)
{
    xmlTextWriterStartElement(xml->writer, BAD_CAST element);
}

void xml_close(struct xml *xml)
{
    xmlTextWriterEndElement(xml->writer);
}

void xml_attribute(struct xml *xml, const char *name, const char *value)
{
    struct arena arena;
    arena_init(&arena);
    xmlTextWriterWriteAttribute(xml->writer, BAD_CAST name, BAD_CAST clean(&arena, value));
    arena_release(&arena);
}

void xml_number(struct xml *xml, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    xml_attribute(xml, name, text);
}

void xml_text(struct xml *xml, const char *text)
{
    struct arena arena;
    arena_init(&arena);
    xmlTextWriterWriteString(xml->writer, BAD_CAST clean(&arena, text));
    arena_release(&arena);
}
