/// The colour of the ground that a plate is painted on. In Nepal it says who owns the vehicle, as the class letter does.
package enum PlateColour: String, Sendable, Codable, CaseIterable {
    case red, black, white, green, yellow, blue

    /// Grounds that a dark night or a glaring sun makes of any other: they say little against a plate.
    package var isUncertain: Bool { self == .black || self == .white }

    /// The grounds of a format.
    package enum Grounds: Sendable, Hashable {
        /// One field tells the owner, and so the ground.
        case told(FieldMeaning<PlateColour>)
        /// Any of these, whatever the plate says.
        case among(Set<PlateColour>)
        case untold
    }

    /// Whether a plate may stand on this ground; nil when the plate doesn't say.
    package func agrees(with plate: Plate, format: PlateFormat) -> Bool? {
        switch format.grounds {
        case .told(let meaning): meaning.value(of: plate, in: format).map { $0 == self }
        case .among(let grounds): grounds.contains(self)
        case .untold: nil
        }
    }

    /// How much a ground that disagrees takes from a plate's chance, as a factor on its odds.
    package static func odds(of colour: PlateColour?, with plate: Plate, format: PlateFormat) -> Double {
        guard let colour, colour.agrees(with: plate, format: format) == false else { return 1 }
        return colour.isUncertain ? 0.5 : 0.2
    }
}
