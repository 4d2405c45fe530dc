import Enforcement
import Storage

/// A post's camera gives nothing for a while, and nobody is recorded there.
extension Simulation {
    /// Drawn apart: nothing else of a day changes with it.
    func deadCameras() -> [Happening] {
        var own = Chance(seed: seed &* 223 &+ 17)
        guard own.happens(0.35) else { return [] }
        let isA = own.happens(0.5)
        let start = TimeSpan.seconds(own.share() * length.seconds)
        let end = start.adding(own.span(240...1500))
        post(isA).hasLiveCamera = true
        return [
            Happening(at: .seconds(0)) { [unowned self] in try post(isA).noteCameras() },
            Happening(at: start) { [unowned self] in
                post(isA).isCameraDead = true
                events.append("the camera of \(post(isA).code) is dead from \(post(isA).clock.now.iso8601)")
            },
            Happening(at: end) { [unowned self] in
                post(isA).isCameraDead = false
                events.append("it watches again from \(post(isA).clock.now.iso8601)")
            },
        ]
    }

    /// Whether an alert accuses, without a doubt, a vehicle that passed the other post unseen: out in time, or in before it came out here.
    func passedUnseen(_ alert: OverstayAlert, at code: String) -> Bool {
        let longest = alert.expectedExitBy - alert.entryTime
        return posts.filter { $0.code != code }.flatMap(\.unseen).contains { plate, at in
            plate.compact == alert.plate.compact && at <= alert.expectedExitBy && at > alert.entryTime - longest
        }
    }
}

extension SimulatedPost {
    /// As at the start of a box.
    func noteCameras() throws {
        guard hasLiveCamera, clock.error.milliseconds == 0, !isPowerless else { return }
        try store.unwatched.noteCameras(live: cameras, at: clock.now)
    }

    /// Its camera sees the road all the time that there is power, and says so once a minute.
    func watch() throws {
        let isBroken = watching.map { clock.uptime - $0.until > UnwatchedTable.leastGap } ?? true
        let stretch = (isBroken ? nil : watching?.stretch) ?? .init(id: ids.next(), start: clock.now)
        watching = (stretch, clock.uptime)
        let watch = FrameCommit.Watch(upTo: clock.now, stretch: hasLiveCamera ? stretch : nil)
        try store.frames.commit(FrameCommit(camera: "gate", watch: watch, at: clock.now))
    }
}
