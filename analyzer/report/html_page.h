// The style and the script of the page that format_html.c writes; both are part of the page, which
// loads nothing.
#ifndef BARLINT_REPORT_HTML_PAGE_H
#define BARLINT_REPORT_HTML_PAGE_H

extern const char html_page_style[], html_page_script[];

#endif
