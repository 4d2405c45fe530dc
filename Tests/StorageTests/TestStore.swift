import Enforcement
import Foundation
import TestKit

@testable import Storage

/// A folder with a database of its own, removed at the end.
final class TestStore {
    let folder: URL
    let store: Store

    init() throws {
        folder = try Self.makeFolder()
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        try FreshDatabase.place(at: path) { try Store(path: $0).close() }
        store = try Store(path: path)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { store.path }
    var photos: PhotoStore { PhotoStore(folder: folder) }

    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "checkpost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// 2026-11-21T10:00:00Z, and minutes after it.
func minute(_ minutes: Double) -> Instant {
    Instant(milliseconds: 1_795_255_200_000) + .minutes(minutes)
}

func samplePassage(
    _ plate: String = "BA 1 PA 1234", at minutes: Double = 0, clientID: UUID = UUID(),
    clockState: ClockState = .synchronised, photoSHA256: String? = nil
) -> Passage {
    Passage(
        clientID: clientID, plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .motorcycle,
        checkpostCode: "BNP-A", recordedAt: minute(minutes), clockState: clockState, confidence: 0.97, origin: .camera,
        photoSHA256: photoSHA256)
}

func sampleRemote(
    _ plate: String = "BA 1 PA 1234", at minutes: Double = 0, clientID: UUID = UUID(), serverID: UUID? = nil,
    sequence: Int64? = nil
) -> MatchablePassage {
    MatchablePassage(
        clientID: clientID, serverID: serverID, plate: Plate(canonical: plate), vehicleType: .motorcycle,
        checkpostCode: "BNP-B", recordedAt: minute(minutes), clockState: .synchronised, serverSequence: sequence)
}

func sampleSighting(_ number: Int = 1, plate: String = "BA 1 PA 1234", sha256: String = sampleHash(1)) -> Sighting {
    let plate = Plate(canonical: plate)
    return Sighting(
        number: number, camera: "gate", firstSeenAt: minute(0), lastSeenAt: minute(1), frameCount: 7,
        bestFrame: FrameReference(sha256: sha256, camera: "gate", recordedAt: minute(0), clockState: .synchronised),
        reading: PlateReading(
            plate: plate, raw: plate.canonical, confidence: 0.5, box: Box(x: 1, y: 2, width: 30, height: 40),
            format: "test", candidates: [.init(plate: plate, confidence: 0.5)],
            characters: [CharacterAlternatives([.init(symbol: "B", probability: 0.5)])]))
}

func sampleHash(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
}

func samplePhoto(_ number: Int = 1) -> PhotoRecord {
    PhotoRecord(
        sha256: sampleHash(number), path: "photos/2026-11-21/\(sampleHash(number)).jpg", bytes: 1000,
        mediaType: "image/jpeg", keptAt: minute(0))
}

let banke = Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
