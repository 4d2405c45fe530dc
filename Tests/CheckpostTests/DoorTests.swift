import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Watch

/// A page's form, a program's JSON, the text console and the command line.
@Suite("The same word of a ranger through each door", .serialized, .timeLimit(.minutes(15)))
struct DoorTests {
    private enum Door: CaseIterable {
        case page, program, watch, commandLine
    }

    private let noon = Instant(iso8601: "2026-11-21T06:15:00Z") ?? Instant(milliseconds: 0)

    /// A box that serves its console, and its database.
    private final class Doors {
        let box: ConsoleBox
        let store: Store
        let client: WatchClient

        init() async throws { (box, store, client) = try await ConsoleBox.signedIn() }

        /// Does it through a door. `arguments` is what the command line is given.
        func go(_ door: Door, _ path: String, _ fields: [String: String], _ arguments: [String]) async throws {
            switch door {
            case .program, .watch: try client.post(path, fields)
            case .page:
                var form = fields
                form["form_token"] = client.formToken
                let query = form.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
                let said = try await OtherProgram.run(
                    "/usr/bin/env",
                    [
                        "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-b",
                        "checkpost_session=\(client.sessionToken)", "-d", query, box.url + "/do/" + path,
                    ], limitSeconds: 60)
                #expect(said.output == "303", "on to the next page")
            case .commandLine:
                let result = try await box.run(arguments + ["--by", "tek"])
                #expect(result.status == 0, "\(result.errors)")
            }
        }

        private static func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
    }

    /// Sightings that differ in nothing but their number and the hour, one a door.
    private func sighting(_ number: Int, camera: String, read plate: String, pictureAge: TimeSpan) -> Sighting {
        let seen = noon + .hours(Double(number))
        let reading = PlateReading(
            plate: Plate(canonical: plate), raw: plate.isEmpty ? "" : "raw " + plate,
            confidence: plate.isEmpty ? 0 : 0.5,
            box: Box(x: 1, y: 2, width: 30, height: 10), format: plate.isEmpty ? "" : "np-embossed", candidates: [],
            characters: [])
        let frame = FrameReference(
            sha256: String(repeating: "a", count: 64), camera: camera, recordedAt: seen - pictureAge,
            clockState: .synchronised)
        return Sighting(
            number: number, camera: camera, firstSeenAt: seen, lastSeenAt: seen, frameCount: 1, bestFrame: frame,
            reading: reading)
    }

    private struct Case {
        var camera = "gate"
        var read: String
        var typed: String
        var pictureAge = TimeSpan.seconds(2)
    }

    @Test func `makes the same passage`() async throws {
        let doors = try await Doors()
        let cases = [
            Case(read: "G AD 2957", typed: "GAD2957"), Case(read: "G AD 2957", typed: "बा १ प ४०३६"),
            Case(read: "", typed: "ba1cha 1234"),
            Case(camera: "manual:gate", read: "G AD 2957", typed: "G AD 2957", pictureAge: .minutes(4)),
            Case(camera: "manual:gate", read: "", typed: "B AC 5763", pictureAge: .seconds(0)),
        ]
        for (index, one) in cases.enumerated() {
            var made: [Passage] = []
            for (place, door) in Door.allCases.enumerated() {
                let number = index * 10 + place + 1
                let sighting = sighting(number, camera: one.camera, read: one.read, pictureAge: one.pictureAge)
                _ = try doors.store.frames.commit(FrameCommit(camera: one.camera, reviews: [sighting], at: noon))
                try await doors.go(
                    door, "reviews/submit", ["id": sighting.id, "plate": one.typed],
                    ["reviews", "record", sighting.id, one.typed])
                let stored = try #require(try doors.store.sightings.sighting(id: sighting.id))
                #expect(stored.state == .recorded && stored.decidedBy == "tek")
                let passage = try #require(
                    try stored.passageClientID.flatMap { try doors.store.passages.passage(clientID: $0)?.passage })
                #expect(
                    passage.recordedAt
                        == (one.pictureAge > .seconds(30) ? sighting.firstSeenAt : sighting.bestFrame.recordedAt))
                made.append(passage.comparable(since: noon + .hours(Double(number))))
            }
            #expect(Set(made.map { "\($0)" }).count == 1, "\(made)")
            let passage = try #require(made.first)
            #expect(passage.origin == (one.camera == "gate" ? .review : .manual))
            if one.typed == "GAD2957" { #expect(passage.plate.canonical == "G AD 2957", "as the format spells it") }
        }
    }

    @Test func `corrects, withdraws, discards and dismisses alike`() async throws {
        let doors = try await Doors()
        var changes: [String] = []
        for (place, door) in Door.allCases.enumerated() {
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 PA \(place)"), plateRaw: "x", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: noon + .hours(Double(place)), clockState: .synchronised,
                origin: .camera)
            try doors.store.passages.record(passage, at: noon)
            _ = try doors.store.alerts.raise(
                [
                    OverstayAlert(
                        entryClientID: passage.clientID, plate: passage.plate, vehicleType: .car,
                        entryTime: passage.recordedAt, expectedExitBy: passage.recordedAt + .hours(4),
                        isDoubtful: false)
                ], at: noon)
            let alert = try #require(
                try doors.store.alerts.list().first { $0.alert.entryClientID == passage.clientID })
            let id = passage.clientID.uuidString.lowercased()
            try await doors.go(
                door, "overstays/dismiss", ["id": "\(alert.id)", "reason": " seen leaving "],
                ["overstays", "dismiss", "\(alert.id)", "--reason", " seen leaving "])
            try await doors.go(
                door, "passages/correct", ["id": id, "plate": "gad 2957", "reason": "mud"],
                ["passages", "correct", id, "gad 2957", "--reason", "mud"])
            try await doors.go(
                door, "passages/withdraw", ["id": id, "reason": "a cow"],
                ["passages", "withdraw", id, "--reason", "a cow"])
            let sighting = sighting(100 + place, camera: "gate", read: "BA 1", pictureAge: .seconds(0))
            _ = try doors.store.frames.commit(FrameCommit(camera: "gate", reviews: [sighting], at: noon))
            try await doors.go(
                door, "reviews/discard", ["id": sighting.id], ["reviews", "discard", sighting.id])
            let discarded = try #require(try doors.store.sightings.sighting(id: sighting.id))
            #expect(discarded.state == .discarded && discarded.decidedBy == "tek")
            let corrections = try doors.store.passages.corrections(ofPassage: passage.clientID).map {
                "\($0.kind) \($0.newPlate?.canonical ?? "-") \($0.reason) \($0.actor)"
            }
            let closed = try doors.store.alerts.list(onlyOpen: false).first { $0.id == alert.id }
            changes.append("\(corrections) \(closed?.dismissedReason ?? "-") \(closed?.dismissedBy ?? "-")")
        }
        #expect(Set(changes).count == 1, "\(changes)")
        #expect(changes.first?.contains("a cow tek") == true)
    }

    @Test func `has nothing doubled, nor a discard that is for ever`() async throws {
        let doors = try await Doors()
        for (place, door) in Door.allCases.enumerated() where door != .page {
            let sighting = sighting(200 + place, camera: "manual:gate", read: "", pictureAge: .seconds(0))
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 PA 4036"), plateRaw: "x", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: sighting.firstSeenAt - .seconds(1), clockState: .synchronised,
                origin: .camera)
            try doors.store.passages.record(passage, at: noon)
            _ = try doors.store.frames.commit(FrameCommit(camera: "manual:gate", reviews: [sighting], at: noon))
            let before = try doors.store.passages.list().count
            try await doors.go(door, "reviews/discard", ["id": sighting.id], ["reviews", "discard", sighting.id])
            switch door {
            case .commandLine:
                let restored = try await doors.box.run(["reviews", "restore", sighting.id])
                #expect(restored.status == 0, "\(restored.errors)")
            default: try doors.client.post("reviews/restore", ["id": sighting.id])
            }
            try await doors.go(
                door, "reviews/submit", ["id": sighting.id, "plate": "ba1pa4036"],
                ["reviews", "record", sighting.id, "ba1pa4036"])
            #expect(try doors.store.passages.list().count == before)
            #expect(try doors.store.sightings.sighting(id: sighting.id)?.passageClientID == passage.clientID)
        }
    }
}

extension Passage {
    /// Without what no two passages share: the id, and the hour.
    fileprivate func comparable(since start: Instant) -> Passage {
        var copy = Passage(
            clientID: UUID(uuidString: "00000000-0000-4000-8000-000000000000") ?? UUID(), plate: plate,
            plateRaw: plateRaw, vehicleType: vehicleType, checkpostCode: checkpostCode,
            recordedAt: Instant(milliseconds: (recordedAt - start).milliseconds), clockState: clockState,
            confidence: confidence, origin: origin, photoSHA256: photoSHA256, actedBy: actedBy)
        // The box of this test runs on a simulated clock, which the command line knows nothing of.
        copy.clockState = .simulated
        return copy
    }
}
