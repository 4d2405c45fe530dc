#ifndef CHECKPOST_CPANGOCAIRO_SHIM_H
#define CHECKPOST_CPANGOCAIRO_SHIM_H

#include <cairo-pdf.h>
#include <pango/pangocairo.h>

// GObject's macros and its open structures stay here: Swift sees a context and what it frees.

// A context with a font map of its own, so that threads share nothing. Freed with checkpost_pango_unref.
static inline PangoContext *checkpost_pango_context(void) {
    PangoFontMap *map = pango_cairo_font_map_new();
    // A point of the page is a unit of the drawing.
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map), 72.0);
    PangoContext *context = pango_font_map_create_context(map);
    g_object_unref(map);
    return context;
}

static inline void checkpost_pango_unref(void *object) { g_object_unref(object); }

#endif
