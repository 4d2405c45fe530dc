import CPangoCairo

/// The fonts that a document is written in. One thread's alone.
final class TextContext {
    fileprivate let context: OpaquePointer
    private let fontPoints: Double

    /// - Parameters:
    ///   - isPrinted: for dots that are black or white, without shades between.
    ///   - letters: what a font of this machine has to have. Others, an emoji in a note, may stay a box.
    /// - Throws: `PaperError.noFont`.
    init(
        language: String, fontPoints: Double, isPrinted: Bool, letters: String = "Aa1 कि१"
    ) throws(PaperError) {
        context = checkpost_pango_context()
        self.fontPoints = fontPoints
        pango_context_set_language(context, pango_language_from_string(language))
        let options = cairo_font_options_create()
        // Widths as they are, so that a line breaks at the same place at every size.
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_hint_style(options, isPrinted ? CAIRO_HINT_STYLE_SLIGHT : CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_antialias(options, isPrinted ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        if layout(PaperText(letters), width: 100).hasUnknownLetters { throw .noFont(letters) }
    }

    deinit { checkpost_pango_unref(UnsafeMutableRawPointer(context)) }

    /// - Parameter width: where lines break, in points.
    func layout(
        _ text: PaperText, width: Double, _ alignment: PaperTable.Alignment = .leading
    ) -> TextLayout {
        TextLayout(text, width: width, alignment, fontPoints: fontPoints, in: self)
    }
}

/// Text broken into lines.
final class TextLayout {
    private let layout: OpaquePointer
    // The layout works with it.
    private let context: TextContext

    /// The first is what it is meant to look like; the others have what it lacks.
    private static let families = "Noto Sans,Noto Sans Devanagari,Lohit Devanagari,DejaVu Sans,sans-serif"

    fileprivate init(
        _ text: PaperText, width: Double, _ alignment: PaperTable.Alignment, fontPoints: Double, in context: TextContext
    ) {
        self.context = context
        layout = pango_layout_new(context.context)
        let font = pango_font_description_new()
        pango_font_description_set_family(font, Self.families)
        pango_font_description_set_absolute_size(font, fontPoints * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_width(layout, Int32(max(1, width) * Double(PANGO_SCALE)))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_alignment(layout, alignment.pango)
        // A text without a byte of zero: the library takes it as its end.
        let runs = text.runs.map { (run: $0, text: $0.text.replacing("\0", with: "")) }
        let plain = runs.map(\.text).joined()
        pango_layout_set_text(layout, plain, Int32(plain.utf8.count))
        let attributes = pango_attr_list_new()
        var from: UInt32 = 0
        for (run, text) in runs {
            let until = from + UInt32(text.utf8.count)
            if run.isBold { Self.add(pango_attr_weight_new(PANGO_WEIGHT_BOLD), from, until, to: attributes) }
            if run.scale != 1 { Self.add(pango_attr_scale_new(run.scale), from, until, to: attributes) }
            from = until
        }
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
    }

    deinit { checkpost_pango_unref(UnsafeMutableRawPointer(layout)) }

    private static func add(
        _ attribute: UnsafeMutablePointer<PangoAttribute>?, _ from: UInt32, _ until: UInt32, to list: OpaquePointer?
    ) {
        attribute?.pointee.start_index = from
        attribute?.pointee.end_index = until
        // The list takes it over.
        pango_attr_list_insert(list, attribute)
    }

    fileprivate var hasUnknownLetters: Bool { pango_layout_get_unknown_glyphs_count(layout) > 0 }

    /// In points.
    var height: Double {
        var height: Int32 = 0
        pango_layout_get_size(layout, nil, &height)
        return Self.points(height)
    }

    func draw(on canvas: OpaquePointer, x: Double, y: Double) {
        cairo_move_to(canvas, x, y)
        pango_cairo_show_layout(canvas, layout)
    }

    /// A line of it, in points from the layout's upper left corner.
    struct Line {
        let left: Double
        let top: Double
        let height: Double
        let baseline: Double
    }

    /// A paragraph may go on on another page.
    var lines: [Line] {
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        var lines: [Line] = []
        repeat {
            var (top, bottom) = (Int32(0), Int32(0))
            pango_layout_iter_get_line_yrange(iterator, &top, &bottom)
            var extents = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, nil, &extents)
            lines.append(
                Line(
                    left: Self.points(extents.x), top: Self.points(top), height: Self.points(bottom - top),
                    baseline: Self.points(pango_layout_iter_get_baseline(iterator))))
        } while pango_layout_iter_next_line(iterator) != 0
        return lines
    }

    /// Draws one line alone, its top at this height.
    func draw(_ index: Int, of lines: [Line], on canvas: OpaquePointer, x: Double, y: Double) {
        cairo_move_to(canvas, x + lines[index].left, y + lines[index].baseline - lines[index].top)
        pango_cairo_show_layout_line(canvas, pango_layout_get_line_readonly(layout, Int32(index)))
    }

    private static func points(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }
}

extension PaperTable.Alignment {
    fileprivate var pango: PangoAlignment {
        switch self {
        case .leading: PANGO_ALIGN_LEFT
        case .centre: PANGO_ALIGN_CENTER
        case .trailing: PANGO_ALIGN_RIGHT
        }
    }
}
