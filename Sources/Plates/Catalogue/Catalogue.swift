extension PlateFormat {
    /// Every format that is read and understood. A new one is a file in this folder and a name in this list.
    package static let all =
        [nepalZonal, nepalProvincial, nepalEmbossed, nepalZonalLatin, india] + indiaSpecial + bhutan + world
        + [generalLatin]

    /// Those of the countries that the catalogue covers: what a person types is held against them.
    package static let covered = all.filter { $0.country?.isCovered == true }

    /// The format of that name; nil when there is none.
    package static func named(_ name: String) -> PlateFormat? {
        all.first { $0.name == name }
    }

    /// Whether it is so tight that a text which fits it is a plate rather than a word with a number: weight 0.6 and more.
    package var isTight: Bool { weight >= 0.6 }
}
