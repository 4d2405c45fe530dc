extension VehicleType {
    /// What a plate says of its vehicle, a car when it says nothing.
    ///
    /// - Parameter format: the name of the format that its reading fits, which is asked first.
    package static func guess(of plate: Plate, format: String? = nil) -> VehicleType {
        let named = format.flatMap(PlateFormat.named)
        let formats = (named.map { [$0] } ?? []) + [.nepalProvincial, .nepalZonal, .nepalEmbossed]
        return formats.lazy.compactMap { VehicleType(format: $0, plate: plate) }.first ?? .car
    }
}
