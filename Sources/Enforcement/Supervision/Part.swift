/// A part of the appliance. Each runs in a process of its own, so that none can end another.
package enum Part: Hashable, Sendable {
    /// Frames of one camera to passages, and their matching at once.
    case camera(String)

    /// Matching that waits, overstays, disk, clock, cleaning.
    case rounds

    /// The exchange with the park's server.
    case sync

    /// The modem and what goes by SMS.
    case sms

    /// The loop detector or the radar, and which vehicles its events were.
    case trigger

    /// The direct link to the other post.
    case peer

    /// The ranger's and technician's page.
    case console

    /// `camera.gate`, `sync`: in the log, in alarms, on the command line and as the name of its files.
    package var name: String {
        switch self {
        case .camera(let name): "camera.\(name)"
        case .rounds: "rounds"
        case .sync: "sync"
        case .sms: "sms"
        case .trigger: "trigger"
        case .peer: "peer"
        case .console: "console"
        }
    }

    package init?(name: String) {
        switch name {
        case "rounds": self = .rounds
        case "sync": self = .sync
        case "sms": self = .sms
        case "trigger": self = .trigger
        case "peer": self = .peer
        case "console": self = .console
        default:
            let words = name.split(separator: ".", maxSplits: 1)
            guard words.count == 2, words[0] == "camera" else { return nil }
            self = .camera(String(words[1]))
        }
    }

    /// Whether it records. What records comes back quickly, however often it ends.
    package var isCamera: Bool {
        if case .camera = self { true } else { false }
    }

    /// Whether the appliance doesn't do its work while this part stands still.
    package var isEssential: Bool { isCamera || self == .rounds }

    /// What people call it.
    package var title: String {
        switch self {
        case .camera(let name): "the camera \(name)"
        case .rounds: "the rounds (overstays, pending matches, disk, clock)"
        case .sync: "the synchronization"
        case .sms: "the SMS"
        case .trigger: "the loop or radar"
        case .peer: "the direct link to the other post"
        case .console: "the console"
        }
    }

    /// What stands still without it, and what to do.
    package var hint: String {
        let loss =
            switch self {
            case .camera: "Pictures in folders wait; those of a live camera are lost meanwhile."
            case .rounds: "Passages are recorded all the same; overstays are found later."
            case .sync: "Everything is recorded here, and sent when it works again."
            case .sms: "Everything is recorded here; nothing goes by SMS meanwhile."
            case .trigger:
                "Plates are read and recorded all the same; vehicles without a plate are not counted meanwhile."
            case .peer: "What the other post records comes over the server alone meanwhile, where there is one."
            case .console: "Passages are recorded all the same; `checkpost watch`, `status` and the page wait for it."
            }
        return loss + " It comes back by itself; if it goes on, keep the log (journalctl -u checkpost) and report it."
    }
}

/// What a part is held to.
package struct PartBounds: Sendable, Equatable {
    /// From its start to its first beat: opening the database and loading the models.
    package var start: TimeSpan

    /// Between two beats. A beat is earned by work, so this is the longest that one piece of work may take.
    package var work: TimeSpan

    /// Resident memory.
    package var memoryBytes: Int

    /// Before the first start after an end that wasn't asked for, before the second within a row, and at most.
    package var firstPause: TimeSpan
    package var secondPause: TimeSpan
    package var longestPause: TimeSpan

    package init(
        start: TimeSpan, work: TimeSpan, memoryBytes: Int, firstPause: TimeSpan = .milliseconds(200),
        secondPause: TimeSpan, longestPause: TimeSpan
    ) {
        self.start = start
        self.work = work
        self.memoryBytes = memoryBytes
        self.firstPause = firstPause
        self.secondPause = secondPause
        self.longestPause = longestPause
    }

    /// What holds for a part on a machine with so much memory.
    ///
    /// A frame is read within a second on a slow box; half a minute is a decoder that hangs. A round of a large history and a
    /// cleaning of a full disk take minutes; so may one exchange over a link of a few bytes a second. No part may take half of
    /// the machine: the others need the rest.
    package init(_ part: Part, machineBytes: Int) {
        let mebi = 1 << 20
        switch part {
        case .camera:
            // Models, a picture of the largest size in colour, and its working copies.
            self.init(
                start: .seconds(60), work: .seconds(30), memoryBytes: 1024 * mebi, secondPause: .milliseconds(400),
                longestPause: .seconds(5))
        case .rounds:
            self.init(
                start: .seconds(60), work: .seconds(180), memoryBytes: 512 * mebi, secondPause: .seconds(5),
                longestPause: .seconds(60))
        case .sync, .peer:
            self.init(
                start: .seconds(60), work: .seconds(300), memoryBytes: 512 * mebi, secondPause: .seconds(10),
                longestPause: .seconds(300))
        case .sms, .trigger:
            self.init(
                start: .seconds(60), work: .seconds(60), memoryBytes: 256 * mebi, secondPause: .seconds(10),
                longestPause: .seconds(300))
        case .console:
            // It reads a picture for the ranger now and then, with models of its own.
            self.init(
                start: .seconds(60), work: .seconds(60), memoryBytes: 1024 * mebi, secondPause: .seconds(10),
                longestPause: .seconds(300))
        }
        if machineBytes > 0 { memoryBytes = min(memoryBytes, machineBytes / 2) }
    }

    /// The pause after so many ends in a row, the first being 1.
    ///
    /// With 0.2, 10 and 300 s: 0.2, 10, 20, 40, 80, 160, 300, 300.
    package func pause(afterEnds count: Int) -> TimeSpan {
        count > 1 ? secondPause.doubled(count - 2, atMost: longestPause) : firstPause
    }
}
