import Enforcement
import Testing

@testable import Console

@Suite("A ranger who fills in a form", .serialized, .timeLimit(.minutes(5)))
struct FormHelpTests {
    @Test func `is offered the park's fine at one tap, and no other where the park has none`() async throws {
        let rig = try await Rig(fines: FineSchedule(speeding: .init("0: 500, 20: 1500")))
        let violation = try rig.violation(minutes: 40)
        let page = try await rig.ranger().get("/outcome?violation=\(violation.id)").text
        await rig.stop()
        #expect(page.contains("data-fine=\"1500\">Fined Rs 1500<"), "\(page)")
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation()
            #expect(!(try await rig.ranger().get("/outcome?violation=\(violation.id)").text.contains("data-fine")))
        }
    }

    @Test func `learns which keys go on with a plate`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let answer = try await visitor.get("/api/keys?text=P3%200&keys=A%201%20%E0%A5%A7")
            #expect(answer.json as? [String] == ["1", "१"], "\(answer.text)")
            #expect(try await visitor.get("/api/keys").json as? [String] == [])
            #expect(try await rig.visitor().get("/api/keys?keys=A").status != 200)
        }
    }
}
