import Enforcement
import Foundation
import Storage

/// Decides about the vehicles that a box had in view when it left a folder for another one: the tracker that goes on there knows nothing of
/// them.
struct OpenSightings {
    let configuration: Configuration
    let store: Store

    /// A vehicle that both folders saw was in view of both within this.
    private static let near = TimeSpan.seconds(10)

    /// What was not read at all is the same vehicle only if it was there at the same time.
    private static let unreadNear = TimeSpan.seconds(3)

    private static let most = 1000

    /// - Parameter other: where the same camera's frames went on: what it has of a vehicle is more.
    /// - Throws: `StoreError`.
    func conclude(besides other: Store? = nil, at now: Instant) throws {
        let (reader, recorder) = (configuration.reader, PassageRecorder(checkpostCode: configuration.post.code))
        for camera in configuration.cameras {
            guard let recalled = try TrackerMemory(store: store, camera: camera.name).recallStored(),
                !recalled.state.keptFrames.isEmpty
            else { continue }
            let conclusion = recalled.concluded(
                of: camera.name, country: reader.country, settings: configuration.tracking(of: camera.name),
                by: recorder, at: now)
            var commit = FrameCommit(camera: camera.name, at: now)
            commit.recordings = try conclusion.recordings.filter { try !isKnown($0.sighting, to: other) }
            commit.reviews = try conclusion.reviews.filter { try !isKnown($0, to: other) }
            commit.trackerState = try JSONEncoder.sorted.encode(conclusion.state)
            try store.frames.commit(commit)
        }
    }

    private func isKnown(_ sighting: Sighting?, to other: Store?) throws -> Bool {
        guard let sighting, let other else { return false }
        let (from, until) = (sighting.firstSeenAt - Self.near, sighting.lastSeenAt + Self.near)
        let passages = try other.passages.list(PassageFilter(from: from, until: until), limit: Self.most)
        let waiting = try other.sightings.list(in: .review, limit: Self.most, newestFirst: true)
            .filter { $0.sighting.lastSeenAt >= from && $0.sighting.firstSeenAt <= until }
        let seen =
            passages.map { ($0.passage.plate, $0.passage.recordedAt) }
            + waiting.map { ($0.sighting.reading.plate, $0.sighting.bestFrame.recordedAt) }
        return seen.contains { plate, time in
            guard !sighting.reading.isUnread, !plate.compact.isEmpty else {
                return (time - sighting.bestFrame.recordedAt).magnitude <= Self.unreadNear
            }
            return plate == sighting.reading.plate || LookAlike.mayBeSame(plate, sighting.reading.plate)
        }
    }
}
