import Enforcement
import ParkAPI
import Testing

@Suite("The code of a vehicle type", .timeLimit(.minutes(5)))
struct VehicleCodeTests {
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
