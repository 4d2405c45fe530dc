/// What an alarm's key names: a kind of trouble, and whose it is.
///
/// `camera.gate` is `camera` of `gate`, `recording.lost.gate` is `recording.lost` of `gate`, `part.sync` is `part` of `sync`,
/// `modem.noSIM` and `disk` are kinds of their own.
package struct AlarmKey: Sendable, Equatable {
    package let kind: String

    /// The camera, the part or the check; nil where the kind says all.
    package let name: String?

    /// Kinds of a camera: the camera's name is the last word.
    static let cameraKinds: Set<String> = [
        "blank", "camera", "clock.camera", "folder", "folder.answered", "frozen", "photos", "pictures", "recording",
        "recording.lost", "recording.refused", "self-test.camera", "traffic",
    ]

    /// Kinds of one of several things: all that follows is its name.
    private static let namedKinds = ["part", "self-test"]

    package init(_ key: String) {
        let words = key.split(separator: ".")
        let kind = words.dropLast().joined(separator: ".")
        if Self.cameraKinds.contains(kind), let last = words.last {
            (self.kind, name) = (kind, String(last))
        } else if let first = words.first.map({ String($0) }), Self.namedKinds.contains(first), words.count > 1 {
            (self.kind, name) = (first, words.dropFirst().joined(separator: "."))
        } else {
            (self.kind, name) = (key, nil)
        }
    }
}
