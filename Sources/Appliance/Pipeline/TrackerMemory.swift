import Enforcement
import Foundation
import Storage

/// What a camera's tracker held when the box stopped, as the database has it.
struct TrackerMemory {
    let store: Store
    let camera: String

    struct Recalled {
        /// As it is stored; nil when nothing is.
        var written: Data?
        var state: SightingTracker.State

        /// Frames of open sightings whose pictures are on the disk.
        var photos: Set<String>

        /// What comes of the vehicles in view when nothing more is seen of them.
        func concluded(
            of camera: String, country: String?, settings: SightingTracker.Settings, by recorder: PassageRecorder,
            at now: Instant
        ) -> Conclusion {
            var tracker = SightingTracker(camera: camera, country: country, settings: settings, state: state)
            var conclusion = Conclusion()
            for action in tracker.handle(.end, at: now) {
                switch action {
                case .record(let sighting):
                    let hasPhoto = photos.contains(sighting.bestFrame.sha256)
                    conclusion.recordings.append(
                        .init(passage: recorder.passage(of: sighting, hasPhoto: hasPhoto), sighting: sighting))
                case .review(let sighting): conclusion.reviews.append(sighting)
                // Pictures that nobody needs are orphans, and go later.
                case .keep, .release: break
                }
            }
            conclusion.state = tracker.state
            return conclusion
        }
    }

    struct Conclusion {
        var recordings: [FrameCommit.Recording] = []
        var reviews: [Sighting] = []

        /// With nobody in view.
        var state = SightingTracker.State(firstNumber: 1)
    }

    /// - Returns: what it begins with: without a stored state an empty one.
    /// - Throws: `StoreError`.
    func recall() throws -> Recalled {
        if let stored = try recallStored() { return stored }
        // A state that an older version wrote may not decode: its open sightings are given up, their numbers aren't used again.
        // After a restored backup, numbers that were given since are not on record.
        let floor = try store.cursors.value(SyncCursor.sightingFloor).map { Int($0) } ?? 0
        return Recalled(
            written: try store.frames.trackerState(camera: camera),
            state: SightingTracker.State(
                firstNumber: max(floor, try store.sightings.lastNumber(camera: camera)) + 1), photos: [])
    }

    /// - Returns: nil when nothing is stored, or nothing that makes sense.
    func recallStored() throws -> Recalled? {
        guard let written = try store.frames.trackerState(camera: camera),
            let state = try? JSONDecoder().decode(SightingTracker.State.self, from: written)
        else { return nil }
        let photos = try state.keptFrames.map(\.sha256).filter { try store.photos.record(sha256: $0) != nil }
        return Recalled(written: written, state: state, photos: Set(photos))
    }
}
