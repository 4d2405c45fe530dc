import Foundation
import Testing

@testable import Enforcement

@Suite("A schedule of fines", .timeLimit(.minutes(5)))
struct FineScheduleTests {
    private func violation(
        _ kind: Violation.Kind, kmh: Double?, minutes: Double = 60, _ type: VehicleType = .car,
        isImplausible: Bool = false
    ) -> Violation {
        let exit = Instant(milliseconds: 1_800_000_000_000)
        return Violation(
            id: UUID(), kind: kind, entryClientID: UUID(), exitClientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1"),
            vehicleType: type, entryTime: exit - .minutes(minutes), exitTime: exit, distanceKm: 45,
            speedLimitKmh: kind == .speeding ? 40 : 10, toleranceKmh: 3, calculatedSpeedKmh: kmh,
            isImplausible: isImplausible, state: .provisional)
    }

    private let schedule = FineSchedule(
        speeding: .init("0: 500, 10: 1000, 20.5: 2000; bus truck 0: 1500"), overstay: .init("0: 500, 120: 2000"))

    @Test(arguments: [
        (43.5, 500), (49.99, 500), (50, 1000), (60.4, 1000), (60.5, 2000), (200, 2000),
    ])
    func `proposes by how far the limit was passed, a band from its beginning on`(kmh: Double, rupees: Double) {
        #expect(schedule.fine(for: violation(.speeding, kmh: kmh)) == rupees)
    }

    @Test func `takes the rule that names the vehicle before the one for all others`() {
        #expect(schedule.fine(for: violation(.speeding, kmh: 70, .truck)) == 1500)
        #expect(schedule.fine(for: violation(.speeding, kmh: 70, .motorcycle)) == 2000)
        let buses = FineSchedule(speeding: .init("bus 0: 1500"))
        #expect(buses.fine(for: violation(.speeding, kmh: 70)) == nil)
    }

    @Test func `goes by minutes where a vehicle stayed too long`() {
        // 45 km at 10 km/h are 270 minutes.
        #expect(schedule.fine(for: violation(.overstay, kmh: 9, minutes: 300)) == 500)
        #expect(schedule.fine(for: violation(.overstay, kmh: 5, minutes: 390)) == 2000)
    }

    @Test func `proposes nothing where it says nothing, and for a speed that hardly can be`() {
        #expect(FineSchedule().fine(for: violation(.speeding, kmh: 70)) == nil)
        #expect(schedule.fine(for: violation(.speeding, kmh: nil)) == nil)
        #expect(schedule.fine(for: violation(.speeding, kmh: 400, isImplausible: true)) == nil)
        #expect(FineSchedule(speeding: .init("10: 500")).fine(for: violation(.speeding, kmh: 45)) == nil)
    }

    @Test(arguments: [
        "", "500", "0:", ":500", "0: 0", "0: -5", "10: 1, 0: 2", "0: 1, 0: 2", "0: 500; 0: 600", "bus 0: 1; bus 0: 2",
        "lorry 0: 500", "0: 500;", "0: 99999999999", "-1: 5", "2000: 5", "0: 500, ", "0: five", "bus", "nan: 5",
    ])
    func `is refused where it makes no sense`(text: String) {
        #expect(FineSchedule.List(text) == nil)
    }
}
