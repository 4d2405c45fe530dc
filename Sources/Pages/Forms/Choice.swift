import Enforcement

/// One of several answers that a form offers.
package struct Choice: Encodable, Sendable {
    package let value: String
    package let text: String
    package let isChosen: Bool

    package init(value: String, text: String, isChosen: Bool) {
        self.value = value
        self.text = text
        self.isChosen = isChosen
    }

    package static func types(_ chosen: VehicleType?, _ texts: Texts) -> [Choice] {
        VehicleType.allCases.map { Choice(value: $0.rawValue, text: texts.type($0), isChosen: $0 == chosen) }
    }

    /// Yes, no, or it doesn't matter.
    package static func whether(_ chosen: Bool?, _ texts: Texts) -> [Choice] {
        [
            Choice(value: "", text: texts["any"], isChosen: chosen == nil),
            Choice(value: "yes", text: texts["yes"], isChosen: chosen == true),
            Choice(value: "no", text: texts["no"], isChosen: chosen == false),
        ]
    }
}
