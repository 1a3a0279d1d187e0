// XML documents through libxml2's writer. Text may hold anything: what XML 1.0 cannot hold becomes
// U+FFFD.
#ifndef BARLINT_REPORT_XML_H
#define BARLINT_REPORT_XML_H

#include <stdint.h>
#include <stdio.h>

struct xml;

// Begins a document with its root element, which xml_end() closes; it frees all.
struct xml *xml_begin(const char *root);
void xml_end(struct xml *xml, FILE *out);

void xml_open(struct xml *xml, const char *element);
void xml_close(struct xml *xml);
// Of the element that was opened last.
void xml_attribute(struct xml *xml, const char *name, const char *value);
void xml_number(struct xml *xml, const char *name, uint64_t value);
void xml_text(struct xml *xml, const char *text);

#endif
