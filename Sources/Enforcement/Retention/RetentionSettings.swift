/// How long a post keeps what it recorded. The server's own term is its own: what goes here stays there.
package struct RetentionSettings: Sendable, Equatable {
    /// Passages with all that belongs to them. Never shorter than box and server compare their days (90), or each comparison would
    /// find days that differ.
    package var passages = TimeSpan.days(365)

    /// Violations that are settled.
    package var violations = TimeSpan.days(365)

    /// Photos of vehicles that something was found against.
    package var photos = TimeSpan.days(365)

    /// Photos of vehicles that nothing was found against.
    package var compliantPhotos = TimeSpan.days(30)

    /// Pictures in the folder of a camera, once they are answered for.
    package var folderPictures = TimeSpan.days(1)

    package init() {}
}

/// What becomes of the pictures in a camera's folder once they are answered for.
package enum FolderPictures: String, Sendable, Equatable, CaseIterable {
    case remove
    /// To the folder `done` beside them, which nobody empties but its owner.
    case move
    case keep
}

extension TimeSpan {
    package static func days(_ count: Double) -> TimeSpan { .hours(count * 24) }

    package var days: Double { hours / 24 }
}
