import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("What is written on a vehicle beside its plate", .timeLimit(.minutes(5)))
struct DecorationTests {
    private func plate(_ confidence: Double = 0.9) -> PlateReading {
        var plate = reading("UP32AB1234", confidence)
        plate.format = PlateFormat.india.name
        return plate
    }

    private func slogan(_ confidence: Double) -> PlateReading {
        reading("CITY110", confidence, box: Box(x: 400, y: 20, width: 150, height: 40))
    }

    private func run(_ readings: [PlateReading], country: String? = "np") -> TrackerRun {
        var run = TrackerRun(SightingTracker(camera: "gate", country: country))
        for step in 0..<4 {
            run.take(.frame(TrackerRun.reference(Double(step)), readings: readings), Double(step))
        }
        run.end(30)
        return run
    }

    @Test func `is shown to nobody`() {
        let run = run([plate(), slogan(0.4)])
        #expect(run.plates == ["UP32AB1234"])
        #expect(run.reviewed.isEmpty)
    }

    @Test func `is another vehicle's plate where it stands farther aside than a vehicle is wide`() {
        var foreign = reading("FR123AB", 0.4, box: Box(x: 900, y: 20, width: 100, height: 40))
        #expect(run([plate(), foreign]).reviewed.map(\.reading.plate.compact) == ["FR123AB"])
        foreign.box = Box(x: 300, y: 20, width: 100, height: 40)
        #expect(run([plate(), foreign]).reviewed.isEmpty)
    }

    @Test func `is another vehicle's plate once it was seen so far aside`() {
        var run = TrackerRun(SightingTracker(camera: "gate", country: "np"))
        for step in 0..<4 {
            let foreign = reading("FR123AB", 0.4, box: Box(x: 900 - 150 * step, y: 20, width: 100, height: 40))
            run.take(.frame(TrackerRun.reference(Double(step)), readings: [plate(), foreign]), Double(step))
        }
        run.end(30)
        #expect(run.reviewed.map(\.reading.plate.compact) == ["FR123AB"])
    }

    @Test func `is shown when it is alone, surely read, or when all plates are usual`() {
        #expect(run([slogan(0.4)]).reviewed.map(\.reading.plate.compact) == ["CITY110"])
        #expect(run([plate(0.3), slogan(0.25)]).reviewed.count == 2)
        #expect(run([plate(), slogan(0.75)]).reviewed.map(\.reading.plate.compact) == ["CITY110"])
        #expect(run([plate(), slogan(0.6)]).reviewed.count == 1 && run([plate(), slogan(0.59)]).reviewed.isEmpty)
        #expect(run([plate(), slogan(0.4)], country: nil).reviewed.map(\.reading.plate.compact) == ["CITY110"])
    }
}
