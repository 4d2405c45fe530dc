import Enforcement
import Pages

/// How a post's keys for signed texts stand, as `checkpost.text_key_state` gives it. The secrets are not in it.
struct TextKeyState: Decodable, Sendable {
    struct Key: Decodable, Sendable {
        var number: Int
        var by: String?
        var madeAt: Micros
        /// When the post fetched it first; nil: it has not.
        var takenAt: Micros?
        var endedAt: Micros?
    }

    /// The number of the newest key, 0 where there never was one: what a form says that it knew.
    var newest: Int
    var lastTextNumber: Int64
    /// How many of the last two hundred texts have not come.
    var missing: Int
    /// The newest first.
    var keys: [Key]

    static func of(_ post: String, _ connection: PostgresConnection) throws -> TextKeyState {
        try connection.object(TextKeyState.self, "select checkpost.text_key_state($1::uuid)", [post])
    }

    var inForce: [Key] { keys.filter { $0.endedAt == nil } }

    /// What the page of the post says of it.
    func model(_ texts: Texts) -> [String: Any] {
        var model: [String: Any] = [
            "newest": String(newest), "isSigned": !inForce.isEmpty, "hasOlder": inForce.count > 1,
            "keys": keys.map { key in
                [
                    "number": texts.digits(String(key.number)),
                    "words": [
                        texts(
                            "text_key_made",
                            ["time": texts.moment(key.madeAt.instant), "name": key.by ?? texts["a_program"]]),
                        key.takenAt.map { texts("text_key_taken", ["time": texts.moment($0.instant)]) }
                            ?? texts["text_key_waits"],
                        key.endedAt.map { texts("text_key_ended", ["time": texts.moment($0.instant)]) },
                    ].compactMap(\.self).joined(separator: " · "),
                ]
            },
        ]
        if lastTextNumber > 0 {
            model["counted"] = texts(
                "texts_counted",
                ["last": texts.digits(String(lastTextNumber)), "missing": texts.digits(String(missing))])
        }
        return model
    }
}
