import Enforcement
import Foundation
import MachineClock

/// What a part says about itself, in a file in the folder `run`: the console, `status` and other parts read it.
///
/// A part writes it in the loop that does its work, so old news mean that it doesn't work.
struct PartNews: Codable {
    struct Camera: Codable {
        let name: String
        let phase: String
        let failure: String?
        let frameCount: Int
        let droppedCount: Int
        let unreadableCount: Int
        let lastFrameAt: Instant?

        enum CodingKeys: String, CodingKey {
            case name, phase, failure
            case frameCount = "frames"
            case droppedCount = "dropped"
            case unreadableCount = "unreadable"
            case lastFrameAt = "last_frame_at"
        }
    }

    /// On the clock that every process of this machine shares.
    let uptime: Instant
    var camera: Camera?
    var link: LinkReport?
    var sms: SMSReport?
    var trigger: TriggerReport?
    var peer: PeerReport?

    init(
        camera: Camera? = nil, link: LinkReport? = nil, sms: SMSReport? = nil, trigger: TriggerReport? = nil,
        peer: PeerReport? = nil, uptime: Instant = MachineClock.uptime
    ) {
        self.trigger = trigger
        self.peer = peer
        self.uptime = uptime
        self.camera = camera
        self.link = link
        self.sms = sms
    }

    /// From this age on news are old: they are written every two seconds.
    static let oldAfter = TimeSpan.seconds(15)

    func age(at now: Instant = MachineClock.uptime) -> TimeSpan { now - uptime }

    func write(of part: Part, to folder: RunFolder) {
        RunFolder.write(self, to: folder.news(of: part))
    }

    static func read(of part: Part, in folder: RunFolder) -> PartNews? {
        RunFolder.read(PartNews.self, from: folder.news(of: part))
    }
}
