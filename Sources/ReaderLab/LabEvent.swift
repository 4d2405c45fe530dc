/// How far long work is, for whoever shows it.
package enum LabEvent: Sendable {
    /// - Parameter total: of what will be advanced.
    case begun(_ label: String, total: Int)

    /// One more is done.
    case advanced(_ detail: String)
    case finished

    /// What is left out, and why.
    case noted(_ text: String)

    /// Takes events.
    package typealias Teller = (LabEvent) -> Void
}
