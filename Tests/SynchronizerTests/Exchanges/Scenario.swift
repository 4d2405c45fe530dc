import Enforcement
import Foundation
import ParkAPI
import Storage

@testable import Synchronizer

/// What two boxes do in an hour, so that everything that box and server say to each other is said. It is the same in each version, so
/// that what one has recorded can be held against another.
struct Scenario {
    static let entry = id(1)
    static let exit = id(2)
    private static let photo = String(repeating: "a", count: 64)
    private static let sample = Exchange.folder.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("deploy/samples/stills/clean_zonal_ba_car.jpg")

    static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)") ?? UUID()
    }

    /// A vehicle that is too fast, with a photo at its entry.
    static func drive(_ a: Post, _ b: Post) throws {
        a.surroundings.photo.bytes = try Data(contentsOf: sample)
        _ = try a.store.evidence.lookAfterKey(at: a.clock.now)
        var commit = FrameCommit(camera: "gate", at: a.clock.now)
        commit.photos = [
            PhotoRecord(sha256: photo, path: "photos/a.jpg", bytes: 3, mediaType: "image/jpeg", keptAt: a.clock.now)
        ]
        commit.recordings = [.init(passage: passage(entry, "BA 1 PA 1234", at: a, minute: -30, photo), sighting: nil)]
        try a.store.frames.commit(commit)
        try a.run(seconds: 5)
        try b.store.passages.record(passage(exit, "BA 1 PA 1234", at: b, minute: 0, nil), at: b.clock.now)
        try b.run(seconds: 2)
        try a.run(seconds: 31)
    }

    /// What rangers and boxes do afterwards.
    static func settle(_ a: Post, _ b: Post) throws {
        if let violation = try b.store.violations.list().first {
            try b.store.violations.record(
                Outcome(kind: .fined, fineAmount: 500, notes: nil, recordedBy: "Sita", recordedAt: b.clock.now),
                ofViolation: violation.id)
        }
        for (number, plate) in [(3, "BA 1 PA 5555"), (4, "BA 1 PA 6666")] {
            try a.store.passages.record(passage(id(number), plate, at: a, minute: -20, nil), at: a.clock.now)
        }
        try a.run(seconds: 2)
        try a.store.passages.correct(
            clientID: id(3), to: Plate(canonical: "BA 1 PA 5558"), reason: "misread", by: "Hari", at: a.clock.now)
        try a.store.passages.withdraw(clientID: id(4), reason: "a sign", by: "Hari", at: a.clock.now)
        let waiting = passage(id(5), "BA 9 PA 9", at: a, minute: -600, nil)
        try a.store.passages.record(waiting, at: a.clock.now)
        _ = try a.store.alerts.raise(
            [
                OverstayAlert(
                    entryClientID: waiting.clientID, plate: waiting.plate, vehicleType: .car,
                    entryTime: waiting.recordedAt, expectedExitBy: waiting.recordedAt + .minutes(270),
                    isDoubtful: false)
            ], at: a.clock.now)
        if let alert = try a.store.alerts.list().first(where: { $0.alert.entryClientID == waiting.clientID }) {
            try a.store.alerts.dismiss(id: alert.id, reason: "left by the same post", by: "Hari", at: a.clock.now)
        }
        for post in [a, b, a] { try post.run(seconds: 65) }
    }

    static let text = ["Body": "V1|BNP-A|BA7PA7777|CAR|1795254000|0000", "From": "+9779800000001", "MessageSid": "SM1"]

    private static func passage(
        _ id: UUID, _ plate: String, at post: Post, minute: Double, _ photo: String?
    ) -> Passage {
        Passage(
            clientID: id, plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car, checkpostCode: post.code,
            recordedAt: Instant(milliseconds: 1_795_255_200_000) + .minutes(minute), clockState: .synchronised,
            confidence: 0.9, origin: .camera, photoSHA256: photo)
    }
}
