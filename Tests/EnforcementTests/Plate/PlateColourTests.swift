import Testing

@testable import Enforcement

@Suite("The colour of a plate", .timeLimit(.minutes(5)))
struct PlateColourTests {
    private func agrees(_ colour: PlateColour, _ plate: String, _ format: PlateFormat) -> Bool? {
        colour.agrees(with: Plate(canonical: plate), format: format)
    }

    @Test(arguments: [
        (PlateColour.red, "BA 2 CHA 7318"), (.red, "KO 41 PA 6052"), (.red, "DHA 1 HA 2094"), (.red, "ME 1 KA 5924"),
        (.black, "NA 7 KHA 2835"), (.black, "LU 1 JA 9406"), (.black, "GA 2 PHA 8145"), (.black, "RA 1 THA 3769"),
        (.white, "KA 1 GA 7306"), (.white, "JA 3 JHA 4017"), (.white, "SE 4 BA 1187"), (.yellow, "MA 2 GHA 5290"),
        (.yellow, "BA 5 YAN 841"), (.yellow, "NA 11 MA 3657"), (.green, "BA 1 YA 502"),
    ])
    func `belongs to the class letter, and no other colour does`(colour: PlateColour, plate: String) {
        for other in PlateColour.allCases { #expect(agrees(other, plate, .nepalZonal) == (other == colour)) }
    }

    @Test func `says nothing of tractors and embossed plates, and India's are never red or blue`() {
        for colour in PlateColour.allCases {
            #expect(agrees(colour, "LU 2 TA 1840", .nepalZonal) == nil)
            #expect(agrees(colour, "B AC 5763", .nepalEmbossed) == nil)
        }
        #expect(agrees(.red, "UP 32 AB 1234", .india) == false)
        #expect(agrees(.yellow, "UP 32 AB 1234", .india) == true)
        #expect(agrees(.black, "P3 02 013 PA 7173", .nepalProvincial) == false)
    }

    private func characters(_ list: [[(String, Double)]]) -> [CharacterAlternatives] {
        list.map { CharacterAlternatives($0.map { .init(symbol: $0.0, probability: $0.1) }) }
    }

    /// A plate whose class letter is torn between प (private, red) and फ (public, black).
    private var torn: [CharacterAlternatives] {
        characters([[("बा", 0.95)], [("१", 0.95)], [("प", 0.5), ("फ", 0.45)], [("४", 0.95)], [("२", 0.95)]])
    }

    @Test func `settles a class letter that was read in doubt`() {
        let matcher = FormatMatcher()
        #expect(matcher.match(torn, script: .devanagari).first?.plate.compact == "BA1PA42")
        #expect(matcher.match(torn, script: .devanagari, colour: .red).first?.plate.compact == "BA1PA42")
        #expect(matcher.match(torn, script: .devanagari, colour: .black).first?.plate.compact == "BA1PHA42")
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
