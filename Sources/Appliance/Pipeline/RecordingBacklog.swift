import Enforcement
import Foundation
import Storage

/// What a live camera's frames gave while the database could not be written. It is bounded: the oldest is given up, and counted.
struct RecordingBacklog {
    /// At 2,000 vehicles a day this is half a day.
    static let mostRecords = 1000

    private(set) var recordings: [FrameCommit.Recording] = []
    private(set) var reviews: [Sighting] = []
    private(set) var photos: [String: PhotoRecord] = [:]

    /// Vehicles that were given up for want of memory.
    private(set) var lost = 0

    var isEmpty: Bool { recordings.isEmpty && reviews.isEmpty }
    var count: Int { recordings.count + reviews.count }

    /// Takes in what was not written.
    mutating func add(_ commit: FrameCommit) {
        recordings += commit.recordings
        for sighting in commit.reviews {
            reviews.removeAll { $0.id == sighting.id }
            reviews.append(sighting)
        }
        for photo in commit.photos { photos[photo.sha256] = photo }
        while count > Self.mostRecords {
            if reviews.isEmpty { recordings.removeFirst() } else { reviews.removeFirst() }
            lost += 1
        }
    }

    /// Takes in again what could not be written after all, before what came since.
    mutating func putBack(_ commit: FrameCommit) {
        let newer = self
        clear()
        add(commit)
        var since = FrameCommit(camera: commit.camera, at: commit.at)
        since.recordings = newer.recordings
        since.reviews = newer.reviews
        since.photos = Array(newer.photos.values)
        add(since)
    }

    /// All that waits and what came now, as one transaction.
    func together(with commit: FrameCommit) -> FrameCommit {
        var whole = commit
        whole.recordings = recordings + commit.recordings
        whole.reviews = reviews.filter { waiting in !commit.reviews.contains { $0.id == waiting.id } } + commit.reviews
        var records = photos
        for photo in commit.photos { records[photo.sha256] = photo }
        whole.photos = records.values.sorted { $0.sha256 < $1.sha256 }
        return whole
    }

    /// Forgets what waited: it is written.
    mutating func clear() {
        recordings = []
        reviews = []
        photos = [:]
    }
}

/// Pictures that could not be written to the disk, in memory, by their SHA-256. It is bounded: the oldest goes first, and is counted.
struct HeldPictures {
    struct Picture {
        var data: Data
        var recordedAt: Instant
    }

    private let mostBytes: Int
    private var pictures: [String: Picture] = [:]
    private var order: [String] = []
    private(set) var bytes = 0

    /// Pictures that were given up for want of memory.
    private(set) var lost = 0

    init(mostBytes: Int = 64 << 20) {
        self.mostBytes = mostBytes
    }

    subscript(sha256: String) -> Picture? { pictures[sha256] }

    mutating func hold(_ picture: Data, recordedAt: Instant, sha256: String) {
        guard pictures[sha256] == nil else { return }
        pictures[sha256] = Picture(data: picture, recordedAt: recordedAt)
        order.append(sha256)
        bytes += picture.count
        while bytes > mostBytes, let oldest = order.first {
            remove(oldest)
            lost += 1
        }
    }

    mutating func remove(_ sha256: String) {
        guard let picture = pictures.removeValue(forKey: sha256) else { return }
        bytes -= picture.data.count
        order.removeAll { $0 == sha256 }
    }
}
