/// Text in a page of HTML.
enum HTMLText {
    /// Text that stands between tags or in a quoted attribute.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// A page that needs nothing but itself and the pictures beside it.
    static func page(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><title>\(escaped(title))</title>
        <style>
        body { font: 15px/1.4 sans-serif; margin: 1.5em; color: #111; background: #fff }
        table { border-collapse: collapse } td, th { border: 1px solid #bbb; padding: .3em .5em; text-align: left; vertical-align: top }
        img { max-width: 100%; background: #eee } td img { max-width: 28em; image-rendering: pixelated }
        tr.end td { background: #fee } tr.plate td { background: #efe }
        </style>
        <h1>\(escaped(title))</h1>
        \(body)
        </html>

        """
    }

    /// A row of a table.
    ///
    /// - Parameter cells: HTML.
    static func row(_ cells: [String], kind: String = "") -> String {
        "<tr class=\"\(escaped(kind))\">" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }

    static func table(_ columns: [String], rows: String) -> String {
        "<table><tr>" + columns.map { "<th>\(escaped($0))</th>" }.joined() + "</tr>\n" + rows + "</table>\n"
    }
}
