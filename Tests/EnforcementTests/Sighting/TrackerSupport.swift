import Foundation

@testable import Enforcement

/// Drives a tracker one step a line: `t` is in seconds.
struct TrackerRun {
    var tracker: SightingTracker
    var recorded: [Sighting] = []
    var reviewed: [Sighting] = []
    var kept: Set<FrameReference> = []
    var actions: [SightingTracker.Action] = []

    init(_ tracker: SightingTracker = SightingTracker(camera: "gate")) { self.tracker = tracker }

    mutating func frame(_ t: Double, _ readings: PlateReading..., stamp: Double? = nil) {
        take(.frame(Self.reference(stamp ?? t, index: actions.count), readings: readings), t)
    }

    mutating func still(_ t: Double) { take(.still, t) }
    mutating func tick(_ t: Double) { take(.tick, t) }
    mutating func end(_ t: Double) { take(.end, t) }

    mutating func take(_ event: SightingTracker.Event, _ t: Double) {
        for action in tracker.handle(event, at: Instant(seconds: t)) {
            actions.append(action)
            switch action {
            case .record(let sighting): recorded.append(sighting)
            case .review(let sighting): reviewed.append(sighting)
            case .keep(let frame): kept.insert(frame)
            case .release(let frame): kept.remove(frame)
            }
        }
    }

    var plates: [String] { recorded.map(\.reading.plate.compact) }

    static func reference(_ t: Double, index: Int = 0) -> FrameReference {
        FrameReference(
            sha256: "\(Int64(t * 1000))-\(index)", camera: "gate", recordedAt: Instant(seconds: t),
            clockState: .synchronised)
    }
}

func reading(
    _ plate: String, _ confidence: Double = 0.9, box: Box = Box(x: 100, y: 100, width: 120, height: 40)
) -> PlateReading {
    PlateReading(
        plate: PlateNormalizer.normalize(plate) ?? Plate(canonical: plate), raw: plate, confidence: confidence,
        box: box,
        format: "latin", candidates: [],
        characters: plate.map { CharacterAlternatives([.init(symbol: String($0), probability: confidence)]) })
}
