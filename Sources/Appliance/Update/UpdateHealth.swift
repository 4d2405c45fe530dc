import Enforcement
import Foundation
import Storage

/// Asks how the box does: before an update of itself, afterwards of the program that is tried, in the words of `status --json`.
struct UpdateHealth: Sendable {
    let places: UpdatePlaces
    let tools: UpdateTools
    let place: BoxPlace

    func baseline(_ store: Store, at now: Instant) throws -> UpdateBaseline {
        let report = StatusReport.gather(place) { _ in store }
        var baseline = UpdateBaseline()
        baseline.criticals = Set(report.problems.filter { $0.severity == "critical" }.map(\.name))
        baseline.cameras = Set(
            (report.running?.cameras ?? []).filter { camera in
                camera.frameCount > 0 && camera.lastFrameAt.map { (now - $0).magnitude <= UpdateTrial.term } == true
            }.map(\.name))
        baseline.passagesAnHour = try store.figures.counts(from: now - .hours(1), until: now).passages
        baseline.lastPassageAt = report.figures?.lastPassageAt.flatMap(Instant.init(iso8601:))
        return baseline
    }

    func sample(of machine: UpdateMachine) -> UpdateSample {
        var sample = UpdateSample()
        sample.starts = machine.starts
        sample.isActive = tools.isServiceActive
        let result = BoundedProgram.run(
            places.program(of: machine.version),
            ["status", "--json"] + (place.config == nil ? [] : ["--config", place.configPath]), seconds: 30,
            errors: false)
        guard let told = try? JSONDecoder().decode(Told.self, from: Data(result.output.utf8)) else {
            sample.isTold = false
            return sample
        }
        sample.criticals = Dictionary(
            told.problems.filter { $0.severity == "critical" }.map { ($0.name, $0.message) }, uniquingKeysWith: { $1 })
        sample.pictures = Dictionary(
            (told.running?.cameras ?? []).map { ($0.name, $0.frames) }, uniquingKeysWith: { $1 })
        sample.lastPassageAt = told.figures?.lastPassageAt.flatMap(Instant.init(iso8601:))
        return sample
    }

    /// What is needed of the documented shape of `status --json`, which other versions keep.
    private struct Told: Decodable {
        struct Problem: Decodable {
            let name: String
            let severity: String
            let message: String
        }

        struct Running: Decodable {
            struct Camera: Decodable {
                let name: String
                let frames: Int
            }

            let cameras: [Camera]
        }

        struct Figures: Decodable {
            let lastPassageAt: String?

            enum CodingKeys: String, CodingKey { case lastPassageAt = "last_passage_at" }
        }

        let problems: [Problem]
        let running: Running?
        let figures: Figures?
    }
}
