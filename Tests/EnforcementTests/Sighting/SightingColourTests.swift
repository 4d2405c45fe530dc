import Testing

@testable import Enforcement

@Suite("The colour of a sighting's plate", .timeLimit(.minutes(5)))
struct SightingColourTests {
    private func characters(_ list: [[(String, Double)]]) -> [CharacterAlternatives] {
        list.map { CharacterAlternatives($0.map { .init(symbol: $0.0, probability: $0.1) }) }
    }

    private func sure(_ colour: PlateColour?) -> PlateReading {
        var reading = reading("BA1PA4236", 0.985)
        reading.format = PlateFormat.nepalZonal.name
        reading.characters = characters(
            ["बा", "१", "प", "४", "२", "३", "६"].map { [($0, 0.985)] })
        reading.colour = colour
        return reading
    }

    @Test func `that disagrees keeps a sure plate from being recorded by itself`() {
        func run(_ colour: PlateColour?) -> TrackerRun {
            var run = TrackerRun()
            for step in 0..<4 { run.frame(Double(step), sure(colour)) }
            run.end(30)
            return run
        }
        #expect(run(.red).plates == ["BA1PA4236"])
        #expect(run(nil).plates == ["BA1PA4236"])
        #expect(run(.yellow).plates.isEmpty)
        #expect(run(.yellow).reviewed.map(\.reading.colour) == [.yellow])
    }

    @Test func `keeps two vehicles in one place apart whose plates are half read`() {
        func other(_ colour: PlateColour) -> PlateReading {
            var reading = sure(colour)
            reading.plate = Plate(canonical: "BA 1 MA 4286")
            reading.characters = characters(
                [("बा", 0.9), ("१", 0.9), ("म", 0.9), ("४", 0.9), ("२", 0.9), ("८", 0.9), ("६", 0.9)].map { [$0] })
            return reading
        }
        var same = TrackerRun()
        same.frame(0, sure(.red))
        same.frame(0.5, other(.red))
        var apart = TrackerRun()
        apart.frame(0, sure(.red))
        apart.frame(0.5, other(.yellow))
        same.end(30)
        apart.end(30)
        #expect(same.recorded.count + same.reviewed.count == 1)
        #expect(apart.recorded.count + apart.reviewed.count == 2)
    }
}
