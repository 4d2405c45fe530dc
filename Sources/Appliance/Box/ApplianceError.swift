/// Something that the appliance can't do, with what to do about it.
package struct ApplianceError: Error, CustomStringConvertible {
    package var message: String
    package var hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    package var description: String { "\(message) \(hint)" }
}
