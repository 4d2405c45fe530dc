import Foundation
import Hummingbird
import Pages

extension Warden {
    /// Gives a warden's word to a function that judges anew and writes down who said it.
    ///
    /// - Parameter function: of the schema `checkpost`; it takes the word with the name of who says it.
    func tell(
        _ function: String, _ word: [String: String], _ request: Request, _ fields: Fields, _ what: String
    ) async throws {
        try await change(request, fields, what) { connection, visit in
            let said = word.merging(["acted_by": visit.person.fullName]) { $1 }
            let json = String(decoding: try JSONEncoder().encode(said), as: UTF8.self)
            _ = try connection.run("select checkpost.\(function)($1::jsonb)", [json])
            return word["one"] ?? word["of"] ?? word["key"] ?? ""
        }
    }
}

extension Fields {
    /// What a form gives as the reason.
    ///
    /// - Parameter usual: where none is asked for: a word that was said with the pictures before the eyes needs none.
    func reason(or usual: String? = nil) throws(APIError) -> String {
        guard let reason = self["reason"] ?? usual, reason.unicodeScalars.count <= 200 else {
            throw APIError(.unprocessableContent, "error_reason", "A reason is needed")
        }
        return reason
    }
}
