extension VehicleType {
    /// The kind of vehicle that a plate tells by its class letter or its category, as its format says.
    ///
    /// - Returns: nil for a plate that doesn't say.
    package init?(format: PlateFormat, plate: Plate) {
        guard let type = format.vehicleTypes?.value(of: plate, in: format) else { return nil }
        self = type
    }

    /// What a plate says of its vehicle, a car when it says nothing.
    ///
    /// - Parameter format: the name of the format that its reading fits, which is asked first.
    package static func guess(of plate: Plate, format: String? = nil) -> VehicleType {
        let named = format.flatMap(PlateFormat.named)
        let formats = (named.map { [$0] } ?? []) + PlateFormat.covered
        return formats.lazy.compactMap { VehicleType(format: $0, plate: plate) }.first ?? .car
    }
}
