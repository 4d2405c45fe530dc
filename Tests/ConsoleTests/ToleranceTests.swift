import Enforcement
import Foundation
import Testing

@testable import Console

@Suite("The tolerance behind a violation", .timeLimit(.minutes(10)), .serialized)
struct ToleranceTests {
    @Test(arguments: [("en", "limit 40 km/h, tolerance 3 km/h"), ("ne", "सीमा ४० किमी/घ, छुट ३ किमी/घ")])
    func `stands beside the limit wherever one is shown, in each language`(language: String, says: String) async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            visitor.cookies["checkpost_language"] = language
            let violation = try rig.violation(toleranceKmh: 3)
            let id = violation.id.uuidString.lowercased()
            let pages = [
                "/outcome?violation=\(id)",
                "/passage?id=\(violation.exitClientID.uuidString.lowercased())",
            ]
            for page in pages {
                let text = try await visitor.get(page).text
                #expect(text.contains(says), "\(page): \(text)")
            }
            let fragment = try await visitor.get("/fragments/alert").text
            #expect(says.split(separator: ", ").allSatisfy { fragment.contains($0) }, "\(fragment)")
            let alerts = try await visitor.get("/api/alerts").text
            #expect(alerts.contains(says.replacing("/", with: "\\/")) || alerts.contains(says), "\(alerts)")
        }
    }
}
