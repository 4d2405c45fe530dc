import Testing

@testable import Plates

@Suite("A vehicle type", .timeLimit(.minutes(5)))
struct VehicleTypeTests {
    @Test(arguments: [
        ("KA", VehicleType?.some(.truck)), ("KHA", .truck), ("GA", .truck), ("GHA", .truck), ("CHA", .car),
        ("JA", .car),
        ("JHA", .car), ("YAN", .car), ("PA", .motorcycle), ("PHA", .motorcycle), ("BA", .motorcycle),
        ("MA", .motorcycle), ("HA", .autoRickshaw), ("THA", .autoRickshaw), ("TA", .tractor), ("YA", nil),
    ])
    func `is told by the class letter of zonal and provincial plates`(letter: String, type: VehicleType?) {
        let zonal = Plate(canonical: "BA 1 \(letter) 1234")
        let provincial = Plate(canonical: "P3 02 013 \(letter) 7173")
        #expect(VehicleType(format: .nepalZonal, plate: zonal) == type)
        #expect(VehicleType(format: .nepalProvincial, plate: provincial) == type)
    }

    @Test(arguments: [
        ("A", VehicleType.motorcycle), ("B", .car), ("C", .autoRickshaw), ("D", .tractor), ("E", .tractor),
        ("F", .minibus), ("G", .truck), ("H", .other), ("I", .other), ("J", .other), ("K", .motorcycle),
    ])
    func `is told by the category of embossed plates`(category: String, type: VehicleType) {
        #expect(VehicleType(format: .nepalEmbossed, plate: Plate(canonical: "\(category) AC 5763")) == type)
    }

    @Test func `is not told by plates of India or of another format`() {
        #expect(VehicleType(format: .india, plate: Plate(canonical: "UP 32 AB 1234")) == nil)
        #expect(VehicleType(format: .generalLatin, plate: Plate(canonical: "RK 019 AF")) == nil)
        #expect(VehicleType(format: .nepalZonal, plate: Plate(canonical: "UP 32 AB 1234")) == nil)
    }
}
