/// Something that the reader's lab can't do, with what to do about it.
package struct LabError: Error, CustomStringConvertible {
    package var message: String
    package var hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    package var description: String { "\(message) \(hint)" }
}
