import CPostgres
import Foundation

/// A connection string or URI of libpq, taken apart, so that a password in it never stands among a program's arguments, where `ps` shows it.
struct ConnectionWords {
    /// Nil where it has none.
    let password: String?

    /// The rest of it, as libpq takes it.
    let text: String

    /// - Throws: ``Settings/Mistake`` for what libpq can't read; its words don't repeat the string.
    init(_ url: String) throws(Settings.Mistake) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            if let message { PQfreemem(message) }
            throw Settings.Mistake(description: "database.owner_url or database.url is not as libpq takes it.")
        }
        defer { PQconninfoFree(options) }
        var words: [String] = []
        var secret: String?
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val.map({ String(cString: $0) }) {
                let name = String(cString: keyword)
                if name == "password" {
                    secret = value
                } else {
                    let quoted = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
                    words.append("\(name)='\(quoted)'")
                }
            }
            option += 1
        }
        (password, text) = (secret, words.joined(separator: " "))
    }
}
