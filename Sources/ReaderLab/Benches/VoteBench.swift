import Enforcement
import Foundation
import Recognition

/// Measures what voting over frames gains: every labelled picture becomes a sighting of mediocre frames.
package struct VoteBench {
    package struct Report: Encodable {
        package var pictures = 0
        package var framesEach = 0

        /// Every frame by itself.
        package var single = Share()

        /// The surest frame of each sighting.
        package var bestSingle = Share()

        /// The sighting, as the tracker votes it.
        package var voted = Share()

        /// Sightings that the vote got right and the surest frame wrong, and the other way round.
        package var gained = 0
        package var lost = 0

        enum CodingKeys: String, CodingKey {
            case pictures
            case framesEach = "frames_each"
            case single
            case bestSingle = "best_single"
            case voted, gained, lost
        }

    }

    let recognizer: PlateRecognizer
    let country: String?
    let framesEach: Int
    let seed: UInt64

    package init(recognizer: PlateRecognizer, country: String?, framesEach: Int, seed: UInt64) {
        self.recognizer = recognizer
        self.country = country
        self.framesEach = framesEach
        self.seed = seed
    }

    package func measure(_ set: LabelledSet, tell: LabEvent.Teller) -> Report {
        var report = Report(framesEach: framesEach)
        tell(.begun("voting", total: set.pictures.count))
        for (index, picture) in set.pictures.enumerated() where !picture.truths.isEmpty {
            defer { tell(.advanced((picture.path as NSString).lastPathComponent)) }
            // A stream of chance for each picture: others leave it as it is.
            var random = SplitMix(seed &* 1_000_003 &+ UInt64(index))
            guard let data = try? PictureFile.read(picture.path), let frames = try? frames(of: data, using: &random)
            else { continue }
            report.pictures += 1
            note(frames, picture.truths, &report)
        }
        tell(.finished)
        return report
    }

    private func frames(of picture: Data, using random: inout SplitMix) throws -> [[PlateReading]] {
        try (0..<framesEach).map { _ in
            let frame = try PictureJitter(using: &random).frame(of: picture, using: &random)
            return try recognizer.recognize(frame).readings
        }
    }

    private func note(_ frames: [[PlateReading]], _ truths: Set<String>, _ report: inout Report) {
        func isRight(_ reading: PlateReading?) -> Bool {
            reading.map { truths.contains(LookAlike.folded($0.plate.compact)) } ?? false
        }
        let tops = frames.map(\.first)
        for top in tops { report.single.add(isRight(top)) }
        let best = isRight(tops.compactMap { $0 }.max { $0.confidence < $1.confidence })
        let voted = isRight(vote(frames))
        report.bestSingle.add(best)
        report.voted.add(voted)
        if voted, !best { report.gained += 1 }
        if best, !voted { report.lost += 1 }
    }

    /// The surest sighting that the tracker makes of the frames, four tenths of a second apart.
    private func vote(_ frames: [[PlateReading]]) -> PlateReading? {
        var tracker = SightingTracker(camera: "bench", country: country)
        // All frames are to be voted on: nothing is decided before the end.
        tracker.settings.readingsToDecide = framesEach + 1
        tracker.settings.timeToDecide = .minutes(10)
        var actions: [SightingTracker.Action] = []
        for (index, readings) in frames.enumerated() {
            let at = Instant(milliseconds: Int64(400 * index))
            let frame = FrameReference(sha256: "\(index)", camera: "bench", recordedAt: at, clockState: .simulated)
            actions += tracker.handle(.frame(frame, readings: readings), at: at)
        }
        actions += tracker.handle(.end, at: Instant(milliseconds: Int64(400 * frames.count)))
        let sightings = actions.compactMap { action -> Sighting? in
            switch action {
            case .record(let sighting), .review(let sighting): sighting
            case .keep, .release: nil
            }
        }
        return sightings.max { $0.reading.confidence < $1.reading.confidence }.map { best in
            var reading = best.reading
            // A doubtful one is shown with gaps; its guess is what is scored.
            if reading.plate.isPartial, let guess = reading.candidates.first(where: { !$0.plate.isPartial }) {
                reading.plate = guess.plate
            }
            return reading
        }
    }
}
