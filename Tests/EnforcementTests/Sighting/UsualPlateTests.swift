import Testing

@testable import Enforcement

@Suite("A plate that fits no kind of the country", .timeLimit(.minutes(5)))
struct UsualPlateTests {
    private func reading(_ text: String, format: String, confidence: Double = 0.95) -> PlateReading {
        let plate = Plate(canonical: text)
        return PlateReading(
            plate: plate, raw: plate.compact, confidence: confidence, box: Box(x: 0, y: 0, width: 100, height: 30),
            format: format, candidates: [.init(plate: plate, confidence: confidence)],
            characters: plate.compact.map {
                CharacterAlternatives([.init(symbol: String($0), probability: confidence)])
            })
    }

    private func actions(country: String?, _ reading: PlateReading) -> [SightingTracker.Action] {
        var tracker = SightingTracker(camera: "gate", country: country)
        let start = Instant(milliseconds: 1_000_000)
        var actions: [SightingTracker.Action] = []
        for step in 0..<4 {
            let now = start + .milliseconds(Int64(step) * 400)
            let frame = FrameReference(
                sha256: "\(step)", camera: "gate", recordedAt: now, clockState: .synchronised)
            actions += tracker.handle(.frame(frame, readings: [reading]), at: now)
        }
        return actions + tracker.handle(.end, at: start + .seconds(10))
    }

    private func isRecorded(_ actions: [SightingTracker.Action]) -> Bool {
        actions.contains { if case .record = $0 { true } else { false } }
    }

    private func isReviewed(_ actions: [SightingTracker.Action]) -> Bool {
        actions.contains { if case .review = $0 { true } else { false } }
    }

    @Test func `in painted Devanagari is recorded by itself only when it is very sure`() {
        let sure = actions(country: "np", reading("BHE 14 PA 6392", format: "np-zonal", confidence: 0.98))
        #expect(isRecorded(sure))
        let doubtful = actions(country: "np", reading("BHE 14 PA 6392", format: "np-zonal", confidence: 0.93))
        #expect(!isRecorded(doubtful) && isReviewed(doubtful))
    }

    @Test func `is shown to a ranger however sure it is: it may be a sticker`() {
        let sticker = actions(country: "np", reading("TAX 83", format: "de"))
        #expect(!isRecorded(sticker))
        #expect(isReviewed(sticker))
    }

    @Test func `is recorded where the country's plates are not all known, or no country is set`() {
        #expect(isRecorded(actions(country: "de", reading("TAX 83", format: "de"))))
        #expect(isRecorded(actions(country: nil, reading("TAX 83", format: "de"))))
    }

    @Test func `is not what comes from Nepal or India`() {
        #expect(isRecorded(actions(country: "np", reading("UP 32 AB 1234", format: "in"))))
        #expect(isRecorded(actions(country: "np", reading("B AC 5763", format: "np-embossed"))))
    }
}
