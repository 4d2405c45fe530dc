import Enforcement

/// A text that costs something to make, kept for a moment: several that ask at once get one answer.
package actor KeptText {
    private var last: (text: String, at: Instant)?

    package init() {}

    package func text(
        at now: Instant, newerThan age: TimeSpan, _ make: @Sendable () async -> String
    ) async -> String {
        if let last, now - last.at < age, now >= last.at { return last.text }
        let text = await make()
        last = (text, now)
        return text
    }
}
