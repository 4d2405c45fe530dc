import Enforcement
import Foundation

/// All that one frame gave, to be written in one transaction: a frame is answered for wholly or not at all.
package struct FrameCommit: Sendable {
    package var camera: String

    /// The frame's `sourceKey`: it is not taken again. Nil for live streams.
    package var takenKey: String?

    /// Why the frame could not be read, if it couldn't.
    package var unreadable: Unreadable?

    /// What the camera's tracker holds after this frame, as UTF-8 JSON that names its frames by their SHA-256; nil leaves
    /// what is stored.
    package var trackerState: Data?

    /// Photos that were written to disk for this frame and are referred to below.
    package var photos: [PhotoRecord]

    /// Hashes of frames that the tracker let go: a surer one took their place, or their vehicle was nothing. Their photos go unless
    /// something else shows them.
    package var released: [String]

    /// What is recorded now.
    package var recordings: [Recording]

    /// Closed sightings that a ranger has to judge.
    package var reviews: [Sighting]

    /// All sightings of the camera that are still being watched, for the console and so that their photos are kept; nil
    /// leaves what is stored. One that was open and is in none of these lists is nothing any more.
    package var open: [Sighting]?

    /// Up to when the camera watched; nil leaves what is stored.
    package var watch: Watch?

    /// The box's clock now.
    package var at: Instant

    package init(
        camera: String, takenKey: String? = nil, unreadable: Unreadable? = nil, trackerState: Data? = nil,
        photos: [PhotoRecord] = [], released: [String] = [], recordings: [Recording] = [], reviews: [Sighting] = [],
        open: [Sighting]? = nil, watch: Watch? = nil, at: Instant
    ) {
        self.camera = camera
        self.takenKey = takenKey
        self.unreadable = unreadable
        self.trackerState = trackerState
        self.photos = photos
        self.released = released
        self.recordings = recordings
        self.reviews = reviews
        self.open = open
        self.watch = watch
        self.at = at
    }

    /// What the camera saw up to a moment is on record with this commit.
    package struct Watch: Sendable, Equatable {
        package var upTo: Instant

        /// Nil where a folder gave it, which may be quiet: a live camera is silent only when it is dead.
        package var stretch: Stretch?

        package init(upTo: Instant, stretch: Stretch? = nil) {
            self.upTo = upTo
            self.stretch = stretch
        }
    }

    /// A time in which a live camera gave pictures without a break, by a clock that only runs forward.
    package struct Stretch: Sendable, Equatable {
        package var id: UUID
        package var start: Instant

        package init(id: UUID, start: Instant) {
            self.id = id
            self.start = start
        }
    }

    /// A passage and the sighting that it was made of.
    package struct Recording: Sendable, Equatable {
        /// Its `photoSHA256` is that of a photo in `photos` or of one kept before; nil when the photo could not be kept.
        package var passage: Passage

        package var sighting: Sighting?

        package init(passage: Passage, sighting: Sighting?) {
            self.passage = passage
            self.sighting = sighting
        }
    }

    package struct Unreadable: Sendable, Equatable {
        /// What a person would look for: the file's name.
        package var file: String?
        package var reason: String

        package init(file: String?, reason: String) {
            self.file = file
            self.reason = reason
        }
    }
}
