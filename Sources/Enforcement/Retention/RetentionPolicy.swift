/// Says what goes and what stays at the box.
///
/// What never goes, however old it is and however full the disk: what is not synchronized, evidence of what is still open, what waits
/// in review or is still in view, and what matching may still find something against.
package struct RetentionPolicy: Sendable, Equatable {
    package var settings: RetentionSettings

    /// Until then after a passage its counterpart may come.
    package var window: TimeSpan

    /// There is a server, or was one. Without any nothing is ever synchronized, and a record's age alone decides.
    package var hasServer: Bool

    /// Whether photos are sent at all: on a link that is paid by the megabyte they are not, and this post has the only copy.
    package var sendsPhotos: Bool

    package init(
        settings: RetentionSettings = RetentionSettings(), window: TimeSpan = .hours(24), hasServer: Bool = true,
        sendsPhotos: Bool = true
    ) {
        self.settings = settings
        self.window = window
        self.hasServer = hasServer
        self.sendsPhotos = sendsPhotos
    }

    /// Why something is removed.
    package enum Removal: String, Sendable, Equatable, CaseIterable {
        /// Nothing shows it: a better frame of the vehicle took its place, or the tracker found it to be nothing.
        case superseded
        case compliantPhoto = "compliant_photo"
        case photo
        case passage
        case violation
        /// A picture in a camera's folder.
        case folderPicture = "folder_picture"
    }

    /// How much is asked for beyond what the settings let go.
    package enum Need: Sendable, Equatable {
        case none
        /// The disk fills: what nothing was found against goes early.
        case compliantPhotos
        /// The disk fills, and nothing of the former is left.
        case otherPhotos
    }

    /// A picture that nothing refers to may be of a frame in hand.
    package static let handAge = TimeSpan.hours(1)

    /// - Returns: why it goes; nil when it stays.
    package func removal(of photo: KeptPhoto, need: Need = .none, at now: Instant) -> Removal? {
        guard !photo.isWatched else { return nil }
        guard !photo.passages.isEmpty else { return now - photo.keptAt >= Self.handAge ? .superseded : nil }
        guard photo.passages.allSatisfy({ mayGo($0, at: now) }) else { return nil }
        let isCompliant = photo.passages.allSatisfy { $0.foundAt == nil }
        let isOld = photo.passages.allSatisfy { isPhotoOld($0, at: now) }
        // Early goes only what the server has: this post's may be the only copy.
        let isThere = photo.passages.allSatisfy { $0.isSynced && $0.isPhotoSynced }
        switch need {
        case _ where isOld: return isCompliant ? .compliantPhoto : .photo
        case .none: return nil
        case .compliantPhotos: return isCompliant && (isThere || keepsPhotosFromServer) ? .compliantPhoto : nil
        case .otherPhotos: return isThere ? (isCompliant ? .compliantPhoto : .photo) : nil
        }
    }

    /// - Returns: whether a passage goes with all that belongs to it.
    package func removes(_ passage: KeptPassage, at now: Instant) -> Bool {
        guard mayGo(passage, at: now), isOlder(passage, than: settings.passages, at: now) else { return false }
        return passage.foundAt.map { now - $0 >= settings.violations } ?? true
    }

    package func removes(_ violation: KeptViolation, at now: Instant) -> Bool {
        !violation.isOpen && (violation.isSynced || !hasServer) && now - violation.exitTime >= settings.violations
    }

    /// The age below which no photo goes by age.
    package var leastPhotoAge: TimeSpan { min(settings.photos, settings.compliantPhotos) }

    private func mayGo(_ passage: KeptPassage, at now: Instant) -> Bool {
        guard !passage.isOpen, passage.isSynced || !hasServer else { return false }
        guard passage.isPhotoSynced || !hasServer || !sendsPhotos else { return false }
        return passage.isMatched || now - passage.since >= window
    }

    private func isOlder(_ passage: KeptPassage, than age: TimeSpan, at now: Instant) -> Bool {
        passage.isAgeKnown && now - passage.since >= age
    }

    private func isPhotoOld(_ passage: KeptPassage, at now: Instant) -> Bool {
        guard let found = passage.foundAt else { return isOlder(passage, than: settings.compliantPhotos, at: now) }
        return now - max(passage.since, found) >= settings.photos
    }

    /// Photos are not to be at the server. Whether a record is there, `mayGo` asks.
    private var keepsPhotosFromServer: Bool { hasServer && !sendsPhotos }
}
