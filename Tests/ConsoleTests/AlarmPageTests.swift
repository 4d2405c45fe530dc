import Enforcement
import Foundation
import Pages
import Storage
import TestKit
import Testing

@testable import Console

@Suite("The page of what is wrong", .serialized, .timeLimit(.minutes(10)))
struct AlarmPageTests {
    @Test func `says in the reader's language what is wrong and what to do, and names the camera`() async throws {
        try await Rig.run { rig in
            try rig.store.alarms.raise(
                "photos.gate", .critical, "Photos of the camera gate can't be kept.", hint: "Look at the disk.",
                at: rig.clock.now)
            let visitor = try await rig.ranger()
            let english = try await visitor.get("/alarms").text
            #expect(
                english.contains("Photos of the camera gate can&#39;t be kept.")
                    && english.contains("Look at the disk."))
            #expect(english.contains("href=\"/alarms\">Alarms: 1"), "the line on each page leads there")
            visitor.cookies["checkpost_language"] = "ne"
            let nepali = try await visitor.get("/alarms").text
            #expect(nepali.contains("क्यामेरा gate का तस्बिर राख्न सकिएन"))
            #expect(nepali.contains("डाटा राख्ने फोल्डर र डिस्क हेर्नुहोस्।"))
            #expect(nepali.contains("lang=\"en\">Photos of the camera gate"), "the box's own words are below")
            let watch = try await visitor.get("/").text
            #expect(watch.contains("क्यामेरा gate का तस्बिर राख्न सकिएन"))
            #expect(!watch.contains("Photos of the camera"), "no English on a Nepali page")
        }
    }

    @Test func `shows an alarm of a kind that nobody has translated as it is`() async throws {
        try await Rig.run { rig in
            try rig.store.alarms.raise("of.tomorrow", .warning, "Something new.", hint: nil, at: rig.clock.now)
            let visitor = try await rig.ranger()
            visitor.cookies["checkpost_language"] = "ne"
            #expect(try await visitor.get("/api/alarms").list.first?["message"] as? String == "Something new.")
        }
    }

    @Test func `tells of photos and messages that went nowhere, and of a number that is missing`() async throws {
        try await Rig.run { rig in
            var status = ConsoleStatus()
            status.hasModem = true
            status.lacksGatewayNumber = true
            rig.host.answer(status)
            let visitor = try await rig.ranger()
            let text = try await visitor.get("/alarms").text
            #expect(text.contains("No number is set") && text.contains("gateway_number"))
            visitor.cookies["checkpost_language"] = "ne"
            #expect(try await visitor.get("/alarms").text.contains("एसएमएस जाने नम्बर राखिएको छैन"))
            status.lacksGatewayNumber = false
            rig.host.answer(status)
            #expect(try await visitor.get("/api/alarms").list.isEmpty)
        }
    }

    /// Each kind that the program raises by a fixed name, found in its own text.
    @Test func `has a Nepali line for every kind of alarm`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter {
            $0.hasSuffix(".swift") && ["Appliance/", "Synchronizer/", "Console/"].contains(where: $0.hasPrefix)
        }
        var kinds: Set<String> = []
        for name in names {
            let text = try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
            for found in text.matches(of: /\.raise\(\s*"([^"]+)"/) { kinds.insert(String(found.1)) }
            for found in text.matches(
                of: /let (?:\w*[aA]larm|key|away|replaced|below|closed|locked|\w+Key) = "([a-zA-Z.\\()-]+)"/)
            {
                kinds.insert(String(found.1))
            }
        }
        #expect(kinds.count > 25, "\(kinds)")
        let others: Set<String> = ["sms.gateway_number", "matching.window_hours"]
        for kind in kinds.subtracting(others) {
            let name = AlarmKey(kind.replacing(/\\\([^)]*\)/, with: "gate")).kind
            #expect(AlarmView.nepali[name] != nil, "\(kind)")
        }
        for (kind, line) in AlarmView.nepali {
            #expect(line.split(separator: "|").count == 2, "\(kind)")
            #expect(line.contains("{name}") == (AlarmKey(kind + ".gate").name == "gate"), "\(kind)")
        }
    }
}
