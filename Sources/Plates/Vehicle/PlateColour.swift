/// The colour of the ground that a plate is painted on. In Nepal it says who owns the vehicle, as the class letter does.
package enum PlateColour: String, Sendable, Codable, CaseIterable {
    case red, black, white, green, yellow, blue

    /// Grounds that a dark night or a glaring sun makes of any other: they say little against a plate.
    package var isUncertain: Bool { self == .black || self == .white }

    /// Whether a plate may stand on this ground; nil when the plate doesn't say.
    ///
    /// Class letters: private red, public black, government white, corporation yellow, tourist green. A tractor's letter and
    /// the embossed plates' category tell the kind of vehicle and not its owner. India: white, yellow, black and green.
    package func agrees(with plate: Plate, format: PlateFormat) -> Bool? {
        switch format.name {
        case PlateFormat.nepalZonal.name:
            return format.fields(compactLatin: plate.compact).flatMap { Self.grounds[$0[2]] }.map { $0 == self }
        case PlateFormat.nepalProvincial.name:
            return format.fields(compactLatin: plate.compact).flatMap { Self.grounds[$0[3]] }.map { $0 == self }
        case PlateFormat.india.name:
            return self != .red && self != .blue
        default: return nil
        }
    }

    private static let grounds: [String: PlateColour] = {
        let owners: [(PlateColour, [String])] = [
            (.red, ["KA", "CHA", "PA", "HA"]), (.black, ["KHA", "JA", "PHA", "THA"]), (.white, ["GA", "JHA", "BA"]),
            (.yellow, ["GHA", "YAN", "MA"]), (.green, ["YA"]),
        ]
        return Dictionary(uniqueKeysWithValues: owners.flatMap { colour, letters in letters.map { ($0, colour) } })
    }()

    /// How much a ground that disagrees takes from a plate's chance, as a factor on its odds.
    package static func odds(of colour: PlateColour?, with plate: Plate, format: PlateFormat) -> Double {
        guard let colour, colour.agrees(with: plate, format: format) == false else { return 1 }
        return colour.isUncertain ? 0.5 : 0.2
    }
}

/// The same probability with its odds multiplied: 0.9 at a fifth of its odds is 0.64.
package func probability(_ probability: Double, timesOdds factor: Double) -> Double {
    let odds = max(0, probability) * factor
    return odds + (1 - min(1, probability)) > 0 ? odds / (odds + 1 - min(1, probability)) : probability
}
