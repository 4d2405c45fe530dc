/// Which alarms on record still say something, whichever run of the program raised them.
///
/// An alarm goes when what raised it sees that it is over. Nobody sees that of a camera that is no longer configured, of a server that was
/// taken out, or of what happened at one moment; a part that ended meanwhile doesn't know what it had said.
package struct AlarmScope: Sendable, Equatable {
    package var cameras: Set<String>
    package var hasServer: Bool
    package var hasModem: Bool

    /// A modem, or a paired box that takes what would go by SMS.
    package var hasTexts: Bool
    package var hasTrigger: Bool
    package var hasPeer: Bool

    package init(
        cameras: Set<String>, hasServer: Bool, hasModem: Bool, hasTexts: Bool? = nil, hasTrigger: Bool = false,
        hasPeer: Bool = false
    ) {
        self.cameras = cameras
        self.hasServer = hasServer
        self.hasModem = hasModem
        self.hasTexts = hasTexts ?? hasModem
        self.hasTrigger = hasTrigger
        self.hasPeer = hasPeer
    }

    /// Told of something that happened, and not of something that lasts.
    private static let events: Set<String> = [
        "clock.step", "evidence.lost", "recording.lost", "recording.refused", "trigger.flood", "trigger.lost",
        "trigger.overflow",
    ]

    /// How long something that happened is told.
    package static let eventTerm = TimeSpan.hours(24)

    /// What a camera's part says when something begins and takes back when it ends. A part that starts begins anew.
    package static func begun(camera: String) -> [String] {
        ["blank", "folder", "frozen", "photos", "pictures", "recording"].map { "\($0).\(camera)" }
    }

    /// - Parameter raisedAt: by the clock of then, which may have been wrong.
    package func isOver(_ key: String, raisedAt: Instant, at now: Instant) -> Bool {
        let words = key.split(separator: ".")
        let kind = words.dropLast().joined(separator: ".")
        if Self.events.contains(key) || Self.events.contains(kind), (now - raisedAt).magnitude >= Self.eventTerm {
            return true
        }
        if AlarmKey.cameraKinds.contains(kind), let camera = words.last, !Self.events.contains(key) {
            return !cameras.contains(String(camera))
        }
        if kind == "sync" { return !hasServer }
        if kind == "modem" { return !hasModem }
        if kind == "sms" { return !hasTexts }
        if kind == "trigger" { return !hasTrigger }
        if kind == "peer" { return !hasPeer }
        if key == "machine" { return !hasServer && !hasModem && !hasPeer }
        return false
    }
}
