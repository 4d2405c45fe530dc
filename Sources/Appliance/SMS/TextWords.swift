/// How it is said what became of texts: a person looks in one place where a modem sends them, and in another where a box keeps them.
struct TextWords: Sendable {
    var accepted: String
    var silent: String

    /// How texts go where no modem sends them; nil for a modem.
    var way: String?

    /// Before the reason, where nothing has gone out for long.
    var refused: String

    /// What to do then; nil where the kind of refusal decides.
    var refusedHint: String?

    static let modem = TextWords(
        accepted: "SMS sent", silent: "the modem fell silent over an SMS", refused: "No SMS gets through")

    static let pairedBox = TextWords(
        accepted: "a paired box keeps a text for the server", silent: "a paired box fell silent over a text",
        way: "by a paired box, which keeps them for the server", refused: "No text gets to a paired box",
        refusedHint:
            "Look at the link to it, and there at `checkpost status`. It is tried again; passages wait meanwhile.")
}
