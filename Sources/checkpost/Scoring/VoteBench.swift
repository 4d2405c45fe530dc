import Enforcement
import Foundation
import Recognition

/// Measures what voting over frames gains: every labelled picture becomes a sighting of mediocre frames.
struct VoteBench {
    struct Report: Encodable {
        var pictures = 0
        var framesEach = 0

        /// Every frame by itself.
        var single = Share()

        /// The surest frame of each sighting.
        var bestSingle = Share()

        /// The sighting, as the tracker votes it.
        var voted = Share()

        /// Sightings that the vote got right and the surest frame wrong, and the other way round.
        var gained = 0
        var lost = 0

        enum CodingKeys: String, CodingKey {
            case pictures
            case framesEach = "frames_each"
            case single
            case bestSingle = "best_single"
            case voted, gained, lost
        }

        var text: String {
            """
            \(pictures) pictures, each as a sighting of \(framesEach) jittered frames
              a frame by itself      \(single.text)
              the surest of them     \(bestSingle.text)
              voted                  \(voted.text)
              right by the vote alone \(gained), by the surest frame alone \(lost)
            """
        }
    }

    let recognizer: PlateRecognizer
    let country: String?
    let framesEach: Int
    let seed: UInt64

    func measure(_ set: LabelledSet) -> Report {
        var report = Report(framesEach: framesEach)
        var progress = Progress("voting", total: set.pictures.count)
        for (index, picture) in set.pictures.enumerated() where !picture.truths.isEmpty {
            defer { progress.advance((picture.path as NSString).lastPathComponent) }
            // A stream of chance for each picture: others leave it as it is.
            var random = SplitMix(seed &* 1_000_003 &+ UInt64(index))
            guard let data = try? PictureFile.read(picture.path), let frames = try? frames(of: data, using: &random)
            else { continue }
            report.pictures += 1
            note(frames, picture.truths, &report)
        }
        progress.finish()
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

/// Random numbers that are the same in every run (SplitMix64, Steele 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
