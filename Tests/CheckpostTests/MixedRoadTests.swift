import Enforcement
import Foundation
import SwiftCSV
import Testing

@Suite("A road where plates of every script pass", .timeLimit(.minutes(15)))
struct MixedRoadTests {
    private struct Passer {
        var plate: Plate?
        var type: String
        var span: ClosedRange<String>
    }

    private let folder = Checkout.samples.appendingPathComponent("mixed")

    private func passers() throws -> [Passer] {
        try CSV<Named>(url: folder.appendingPathComponent("truth.csv")).rows.map { row in
            func time(_ name: String) -> String { String((row[name] ?? "").prefix(15)) }
            return Passer(
                plate: PlateNormalizer.normalize(row["plate"] ?? ""), type: row["type"] ?? "",
                span: time("first_frame")...time("last_frame"))
        }
    }

    @Test func `gives one passage a vehicle, with its type, and none for a vehicle without a plate`() async throws {
        let truth = folder.appendingPathComponent("truth.csv").path
        let result = try await Program.run(["replay", folder.path, "--country", "np", "--truth", truth, "--json"])
        #expect(result.status == 0, "\(result.errors)")
        let report = try #require(result.objects.first)
        let passages = try #require(report["passages"] as? [[String: Any]])
        let reviews = try #require(report["reviews"] as? [[String: Any]])
        func time(_ row: [String: Any]) -> String {
            String((row["recorded_at"] as? String ?? "").filter { $0 != "-" && $0 != ":" }.prefix(15))
        }
        for passer in try passers() {
            let own = passages.filter { passer.span.contains(time($0)) }
            let waiting = reviews.filter { passer.span.contains(time($0)) }
            guard let plate = passer.plate else {
                #expect(own.isEmpty && waiting.isEmpty, "without a plate: \(own) \(waiting)")
                continue
            }
            let seen = (own + waiting).compactMap { $0["plate"] as? String }
            #expect(seen == [plate.compact], "\(plate)")
            let guess = VehicleType.guess(of: plate).rawValue
            #expect(guess == passer.type, "\(plate)")
            for passage in own { #expect(passage["vehicle_type"] as? String == passer.type, "\(plate)") }
        }
        #expect(passages.count + reviews.count == 6)
        #expect(passages.count >= 3)
        try SchemaTests.hold(result.output, to: "replay")
        let score = try #require(report["truth"] as? [String: Any])
        func count(_ key: String) -> Int? { score[key] as? Int }
        #expect(count("vehicles") == 6 && count("right") == passages.count && count("waiting") == reviews.count)
        #expect(count("wrong") == 0 && count("missed") == 0 && count("doubled") == 0)
        #expect(count("without_plate") == 1 && count("unrecorded") == 1 && count("recorded_of_none") == 0)
    }
}
