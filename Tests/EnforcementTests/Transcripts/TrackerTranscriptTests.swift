import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("A sighting tracker through a day at the gate", .timeLimit(.minutes(10)))
struct TrackerTranscriptTests {
    /// What is in front of the camera: it comes, is read well or badly, moves or stands, and goes.
    private struct Thing {
        var text: [String]
        var format: String
        var box: Enforcement.Box
        var step: Int
        var confidence: Double
        var colour: PlateColour?
        var isPlate: Bool?
        var isUnread = false
        var ticks = false
        var isFixed = false
    }

    private struct Gate {
        var tracker: SightingTracker
        var random: SeededGenerator
        var script = Transcript()
        var now: Instant
        var things: [Thing] = []
        var frames = 0

        init(seed: UInt64, country: String?) {
            tracker = SightingTracker(camera: "gate", country: country)
            random = SeededGenerator(seed: seed)
            now = script.start
        }

        private static let plates: [([String], String)] = [
            ("UP32AB1234".map(String.init), "in"), ("BAC5763".map(String.init), "np-embossed"),
            (["बा", "१", "च", "१", "२", "३", "४"], "np-zonal"), (["ना", "६", "ख", "१", "९", "५", "७"], "np-zonal"),
            ("HWY4821".map(String.init), "br AAA 0000"), ("CAFE20".map(String.init), "latin"),
            ("UP32AB1284".map(String.init), "in"), ("BAC5783".map(String.init), "np-embossed"),
        ]

        private mutating func arrive() {
            let (text, format) = random.one(of: Self.plates)
            let kind = random.below(10)
            let isFixed = kind >= 8
            let sizes = isFixed ? [(90, 30)] : [(60, 20), (120, 40), (200, 66)]
            let (width, height) = random.one(of: sizes)
            things.append(
                Thing(
                    text: text, format: format,
                    box: Box(
                        x: isFixed ? [40, 900][kind - 8] : 100 + 60 * random.below(12),
                        y: isFixed ? 20 : 150 + 40 * random.below(6),
                        width: width, height: height),
                    step: isFixed ? 0 : random.one(of: [0, 0, 4, 15, 90]),
                    confidence: random.one(of: [0.08, 0.3, 0.49, 0.55, 0.62, 0.75, 0.85, 0.95, 0.98, 0.99]),
                    colour: random.one(of: [nil, nil, .red, .yellow, .black, .white]),
                    isPlate: isFixed ? false : random.one(of: [nil, true, true, true, false]), isUnread: kind == 7,
                    ticks: kind == 9, isFixed: isFixed))
        }

        private mutating func reading(_ index: Int) -> PlateReading {
            things[index].box.x += things[index].step
            let thing = things[index]
            var box = thing.box
            if !thing.isFixed, random.hundredths(20) { box.y += random.below(3) - 1 }
            let look = thing.isPlate.map { PlateReading.Look(score: $0 ? 0.9 : 0.02, isPlate: $0) }
            if thing.isUnread { return .unread(at: box, look: look ?? .init(score: 0.5, isPlate: true)) }
            var text = thing.text
            if thing.ticks { text[text.count - 1] = "\(frames % 10)" }
            let confidence = min(1, max(0, thing.confidence + Double(random.below(21) - 10) / 100))
            if random.hundredths(thing.confidence > 0.8 ? 5 : 25) {
                text[random.below(text.count)] = random.one(of: ["8", "B", "O", "५", "X"])
            }
            let characters = text.map { symbol in
                CharacterAlternatives([
                    .init(symbol: symbol, probability: confidence),
                    .init(symbol: random.one(of: ["0", "8", "A", "४"]), probability: (1 - confidence) / 2),
                ])
            }
            let plate = PlateNormalizer.normalize(text.joined()) ?? Plate(canonical: "X")
            return PlateReading(
                plate: plate, raw: text.joined(), confidence: confidence, box: box, format: thing.format,
                candidates: [], characters: characters, colour: thing.colour, look: look)
        }

        mutating func run(_ steps: Int) {
            for step in 0..<steps {
                if random.hundredths(6) { arrive() }
                if random.hundredths(5), !things.isEmpty { things.remove(at: random.below(things.count)) }
                let shown = things.indices.filter { _ in random.hundredths(80) }
                let event = event(shown.map { reading($0) })
                take(event)
                if step % 50 == 0 { add(summary()) }
                let waits = [0.2, 0.2, 0.2, 0.2, 0.5, 1, 1.5, 2, 2.1, 3.5, 5, 19.9, 20, 20.1]
                now =
                    now
                    + .seconds(
                        random.hundredths(97) ? random.one(of: waits) : random.one(of: [60, 600, 2699, 2702, -5]))
            }
            take(.end)
            add(summary())
        }

        private mutating func event(_ readings: [PlateReading]) -> SightingTracker.Event {
            switch random.below(20) {
            case 0: return .still
            case 1: return .tick
            default:
                frames += 1
                // The camera's own clock runs with the box's, but for a hitch now and then.
                let stamp = random.hundredths(98) ? now : now - .seconds(7)
                return .frame(
                    FrameReference(sha256: "\(frames)", camera: "gate", recordedAt: stamp, clockState: .synchronised),
                    readings: readings)
            }
        }

        private mutating func take(_ event: SightingTracker.Event) {
            let actions = tracker.handle(event, at: now)
            if !actions.isEmpty { add("\(script.time(now)) \(actions.map(text).joined(separator: "; "))") }
        }

        private mutating func add(_ line: String) { script.add(line) }

        private func text(_ action: SightingTracker.Action) -> String {
            switch action {
            case .keep(let frame): "keep \(frame.sha256)"
            case .release(let frame): "release \(frame.sha256)"
            case .record(let sighting): "RECORD " + text(sighting)
            case .review(let sighting): "REVIEW " + text(sighting)
            }
        }

        private func text(_ sighting: Sighting) -> String {
            let reading = sighting.reading
            let candidates = reading.candidates.prefix(3).map {
                "\($0.plate.compact) \(Transcript.figure($0.confidence))"
            }
            return "\(sighting.id) \(reading.plate) \(reading.format) \(Transcript.figure(reading.confidence)) of "
                + "\(sighting.frameCount) from \(script.time(sighting.firstSeenAt)) to \(script.time(sighting.lastSeenAt)) best "
                + "\(sighting.bestFrame.sha256) \(reading.colour?.rawValue ?? "-") "
                + "\(reading.look.map { "\(Transcript.figure($0.score)) \($0.isPlate)" } ?? "-") \(candidates)"
        }

        /// What it holds, in figures.
        private func summary() -> String {
            let state = tracker.state
            let open = state.open.map {
                "\($0.number) \($0.decision) \($0.frameCount)/\($0.decidedAtCount)\($0.hasMoved ? " moved" : "")"
                    + "\($0.isRepeat ? " again" : "")\($0.isBesidePlate == true ? " beside" : "")"
                    + "\($0.isApart == true ? " apart" : "") votes \($0.vote.readings.count)"
            }
            let fixtures = state.fixtures.fixtures.map { "\($0.text) \($0.sightings)\($0.stoodLong ? " long" : "")" }
            let places = (state.standing?.places ?? []).map {
                "\($0.frames)/\($0.missed)/\($0.changes)/\($0.plateFrames)\($0.isCertain ? " certain" : "")"
            }
            return "== open [\(open.joined(separator: ", "))] fixtures [\(fixtures.joined(separator: ", "))] "
                + "places [\(places.joined(separator: ", "))]"
        }
    }

    @Test(
        arguments: [(1, "np", "gate-in-nepal"), (2, nil, "gate-anywhere"), (3, "in", "gate-in-india")]
            as [(UInt64, String?, String)])
    func `does what its transcript says`(seed: UInt64, country: String?, name: String) throws {
        var gate = Gate(seed: seed, country: country)
        gate.run(500)
        try gate.script.check(name)
    }
}
