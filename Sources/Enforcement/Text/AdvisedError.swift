/// Something that can't be done, with what to do about it: what a person who asked for it is told.
package struct AdvisedError: Error, CustomStringConvertible {
    package var message: String
    package var hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    package var description: String { "\(message) \(hint)" }
}
