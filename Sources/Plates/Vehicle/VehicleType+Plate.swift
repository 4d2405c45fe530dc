extension VehicleType {
    /// The kind of vehicle that a plate tells by its class letter or its category.
    ///
    /// Sources: the zonal and provincial class letters (middling) and the categories of the embossed plates. A letter
    /// that several kinds share gives the commonest of them.
    ///
    /// - Returns: nil for a plate that doesn't say.
    package init?(format: PlateFormat, plate: Plate) {
        guard let fields = format.fields(compactLatin: plate.compact) else { return nil }
        switch format.name {
        case PlateFormat.nepalZonal.name: self.init(classLetter: fields[2])
        case PlateFormat.nepalProvincial.name: self.init(classLetter: fields[3])
        case PlateFormat.nepalEmbossed.name: self.init(embossedCategory: fields[0])
        default: return nil
        }
    }

    private init?(classLetter: String) {
        switch classLetter {
        case "KA", "KHA", "GA", "GHA": self = .truck
        case "CHA", "JA", "JHA", "YAN": self = .car
        case "PA", "PHA", "BA", "MA": self = .motorcycle
        case "HA", "THA": self = .autoRickshaw
        case "TA": self = .tractor
        default: return nil
        }
    }

    private init?(embossedCategory: String) {
        switch embossedCategory {
        case "A", "K": self = .motorcycle
        case "B": self = .car
        case "C": self = .autoRickshaw
        case "D", "E": self = .tractor
        case "F": self = .minibus
        case "G": self = .truck
        case "H", "I", "J": self = .other
        default: return nil
        }
    }
}
