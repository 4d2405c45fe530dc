import Testing

@testable import Enforcement

@Suite("A partial reading", .timeLimit(.minutes(5)))
struct GapTests {
    private func zonal(
        _ symbols: [(String, Double)], as plate: String, _ confidence: Double = 0.3, format: PlateFormat = .nepalZonal
    ) -> PlateReading {
        PlateReading(
            plate: Plate(canonical: plate), raw: symbols.map(\.0).joined(), confidence: confidence,
            box: Box(x: 100, y: 100, width: 120, height: 40), format: format.name,
            candidates: [.init(plate: Plate(canonical: plate), confidence: confidence)],
            characters: symbols.map { CharacterAlternatives([.init(symbol: $0.0, probability: $0.1)]) })
    }

    private var half: PlateReading {
        zonal(
            [("को", 0.9), ("१", 0.2), ("३", 0.3), ("प", 0.9), ("४", 0.8), ("०", 0.9), ("३", 0.9)], as: "KO 13 PA 403")
    }

    @Test func `keeps what was read and has gaps for the rest`() {
        let partial = half.withGaps()
        #expect(partial.plate.canonical == "KO ?? PA 403")
        #expect(partial.plate.isPartial)
        #expect(partial.candidates.map(\.plate.canonical) == ["KO ?? PA 403", "KO 13 PA 403"])
    }

    @Test func `has a gap for a syllable as for a digit, and for a province's number`() {
        let zone = zonal(
            [("को", 0.2), ("१", 0.9), ("प", 0.9), ("४", 0.8), ("०", 0.9), ("३", 0.9)], as: "KO 1 PA 403")
        #expect(zone.withGaps().plate.canonical == "? 1 PA 403")
        let province = zonal(
            [
                ("३", 0.9), ("०", 0.9), ("२", 0.9), ("०", 0.3), ("१", 0.9), ("३", 0.9), ("प", 0.9), ("७", 0.9),
                ("१", 0.2),
            ], as: "P3 02 013 PA 71", format: .nepalProvincial)
        #expect(province.withGaps().plate.canonical == "P3 02 ?13 PA 7?")
    }

    @Test func `takes an O that stands for a zero as read`() {
        let embossed = zonal(
            [("B", 0.9), ("A", 0.9), ("C", 0.9), ("O", 0.9), ("5", 0.1)], as: "B AC 05", format: .nepalEmbossed)
        #expect(embossed.withGaps().plate.canonical == "B AC 0?")
    }

    @Test func `is none where the reading is sure, legible, or mostly lost`() {
        var sure = half
        sure.confidence = 0.9
        #expect(sure.withGaps() == sure)
        let legible = zonal([("को", 0.6), ("१", 0.6), ("प", 0.6), ("४", 0.6)], as: "KO 1 PA 4")
        #expect(legible.withGaps() == legible)
        let lost = zonal([("को", 0.2), ("१", 0.2), ("प", 0.2), ("४", 0.6)], as: "KO 1 PA 4")
        #expect(lost.withGaps() == lost)
    }

    @Test func `is shown for review and never recorded by itself`() {
        var run = TrackerRun()
        for step in 0..<8 { run.frame(Double(step), half) }
        run.end(40)
        #expect(run.recorded.isEmpty)
        #expect(run.reviewed.map(\.reading.plate.canonical) == ["KO ?? PA 403"])
        var tracker = SightingTracker(camera: "gate")
        tracker.settings.recording.any = 0
        tracker.settings.recording.devanagari = 0
        var reckless = TrackerRun(tracker)
        var partial = half
        partial.plate = Plate(canonical: "KO ?? PA 403")
        partial.confidence = 1
        reckless.frame(0, partial)
        reckless.end(30)
        #expect(reckless.recorded.isEmpty)
    }

    @Test func `is matched by what it has, as a possible match only`() {
        let partial = half.withGaps().plate
        #expect(LookAlike.mayBeSame(partial, Plate(canonical: "KO 13 PA 403")))
        #expect(LookAlike.mayBeSame(partial, Plate(canonical: "KO 29 PA 403")))
        #expect(!LookAlike.mayBeSame(partial, Plate(canonical: "KO 13 PA 408")))
    }

    @Test func `offers a ranger what each gap may be`() {
        let parts = PlateParts(half.withGaps()).parts
        #expect(parts.map(\.current) == ["KO", "?", "?", "PA", "4", "0", "3"])
        #expect(parts[1].alternatives == ["1"])
    }
}
