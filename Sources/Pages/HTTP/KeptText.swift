import Enforcement

/// A text that costs something to make, kept for a moment: several that ask at once get one answer.
package actor KeptText {
    private var last: (text: String, at: Instant)?
    private var making: Task<String, Never>?

    package init() {}

    package func text(
        at now: Instant, newerThan age: TimeSpan, _ make: @escaping @Sendable () async -> String
    ) async -> String {
        if let last, now - last.at < age, now >= last.at { return last.text }
        if let making { return await making.value }
        let task = Task { await make() }
        making = task
        let text = await task.value
        making = nil
        last = (text, now)
        return text
    }
}
