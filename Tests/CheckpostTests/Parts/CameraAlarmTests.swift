import Enforcement
import Foundation
import Logging
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("Alarms of a camera that gives pictures and sees nothing", .timeLimit(.minutes(2)))
struct CameraAlarmTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let board: AlarmBoard
    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let now = Instant(milliseconds: 1_795_255_200_000)

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
        board = AlarmBoard(store: store, log: log)
    }

    private func alarms() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try store.alarms.list().map { ($0.key, $0.message) })
    }

    /// A vehicle that the camera has seen: recorded, or waiting for a ranger.
    private func pass(_ number: Int, camera: String = "gate", at time: Instant, isSure: Bool = true) throws {
        let plate = Plate(canonical: "BA 1 PA \(1000 + number)")
        let sha256 = String(repeating: "0", count: 64)
        let sighting = Sighting(
            number: number, camera: camera, firstSeenAt: time, lastSeenAt: time, frameCount: 3,
            bestFrame: FrameReference(sha256: sha256, camera: camera, recordedAt: time, clockState: .synchronised),
            reading: PlateReading(
                plate: plate, raw: plate.canonical, confidence: 0.9, box: Box(x: 1, y: 2, width: 30, height: 40),
                format: "test", candidates: [.init(plate: plate, confidence: 0.9)], characters: []))
        let passage = Passage(
            clientID: UUID(), plate: plate, plateRaw: plate.canonical, vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: time, clockState: .synchronised, confidence: 0.9, origin: .camera, photoSHA256: nil)
        try store.frames.commit(
            FrameCommit(
                camera: camera, recordings: isSure ? [.init(passage: passage, sighting: sighting)] : [],
                reviews: isSure ? [] : [sighting], at: time))
    }

    private func keeper() -> TrafficKeeper {
        var configuration = Configuration.pilot
        configuration.cameras = ["gate", "lane"].map { .init(name: $0, kind: .folder(path: "/nowhere")) }
        return TrafficKeeper(configuration, store: store, alarms: board, log: log)
    }

    @Test func `where vehicles always came one that sees none for three hours is told, until it sees one again`() throws
    {
        var number = 0
        for day in 1...7 {
            for minutes in [10.0, 60, 170] {
                number += 1
                // One of three is left to a ranger: it was seen all the same.
                let time = now - .hours(Double(24 * day)) - .minutes(minutes)
                try pass(number, at: time, isSure: number % 3 != 0)
            }
        }
        // The other one sees few, and none is nothing unusual.
        try pass(900, camera: "lane", at: now - .hours(25))
        var traffic = keeper()
        traffic.look(at: now, isClockTrusted: false)
        #expect(try alarms().isEmpty, "a wrong clock compares other hours")
        traffic.look(at: now, isClockTrusted: true)
        #expect(try Array(alarms().keys) == ["traffic.gate"])
        #expect(try alarms()["traffic.gate"]?.contains("no vehicle for three hours") == true)

        // At night few pass: nothing is compared, and nothing is mended.
        traffic.look(at: now + .hours(8), isClockTrusted: true)
        #expect(try Array(alarms().keys) == ["traffic.gate"])
        try pass(901, at: now + .hours(8) + .minutes(5), isSure: false)
        traffic.look(at: now + .hours(8) + .minutes(9), isClockTrusted: true)
        #expect(try !alarms().isEmpty, "it looks every ten minutes")
        traffic.look(at: now + .hours(8) + .minutes(10), isClockTrusted: true)
        #expect(try alarms().isEmpty)
    }

    @Test func `one that shows nothing or hangs is told once, and is over with the next good picture`() throws {
        let later = LaterAlarms(board)
        var pictures = PictureAlarms(camera: "gate")
        func told(_ trouble: SceneWatch.Trouble?) throws -> [String: String] {
            pictures.canBeRead(trouble, later)
            later.settle()
            return try alarms()
        }
        #expect(try told(nil).isEmpty)
        #expect(try told(.blank(.dark))["blank.gate"]?.contains("nothing but black for ten minutes") == true)
        board.clear("blank.gate")
        #expect(try told(.blank(.dark)).isEmpty, "said already")
        #expect(try Array(told(.frozen).keys) == ["frozen.gate"])
        #expect(try told(nil).isEmpty)
        #expect(AlarmKey("frozen.gate").name == "gate" && AlarmKey("traffic.gate").kind == "traffic")
    }
}
