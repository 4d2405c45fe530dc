/// The kinds of vehicle that a passage is recorded under. The raw value is what the database and the server store.
package enum VehicleType: String, Codable, Sendable, CaseIterable {
    case car
    case jeepSUV = "jeep_suv"
    case minibus
    case bus
    case truck
    case tanker
    case motorcycle
    case autoRickshaw = "auto_rickshaw"
    case tractor
    case other
}
