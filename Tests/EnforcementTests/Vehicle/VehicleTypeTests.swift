import Testing

@testable import Enforcement

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

    @Test func `goes through an SMS and back`() {
        for type in VehicleType.allCases { #expect(VehicleType(smsCode: type.smsCode) == type) }
        #expect(Set(VehicleType.allCases.map(\.smsCode)).count == 10)
    }

    @Test(arguments: [
        ("JEP", VehicleType?.some(.jeepSUV)), ("MOT", .motorcycle), ("MTK", .truck), ("AUT", .autoRickshaw),
        ("XXX", nil),
        ("car", nil), ("", nil),
    ])
    func `is read from the codes of earlier posts too`(code: String, type: VehicleType?) {
        #expect(VehicleType(smsCode: code) == type)
    }
}
