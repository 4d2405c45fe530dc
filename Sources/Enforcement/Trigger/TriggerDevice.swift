/// The device's end of the line, as the protocol wants it: the simulator is one, and whoever builds one may copy it.
package struct TriggerDevice: Sendable {
    package enum Event: Sendable, Equatable {
        /// A vehicle is there.
        case vehicle(lane: UInt8, direction: TriggerEvent.Direction?, speedKmh: Double?)
        case received([UInt8])
        case tick
    }

    private struct Waiting {
        let name: TriggerEvent.Name
        let at: Instant
        let lane: UInt8
        let direction: TriggerEvent.Direction?
        let speedTenths: UInt16?
        var sentAt: Instant?
    }

    /// Events that wait for an acknowledgement: what has no room is counted.
    package static let room = 64
    package static let resendAfter = TimeSpan.milliseconds(500)
    package static let heartbeatEvery = TimeSpan.seconds(10)

    private let boot: UInt16
    private var number: UInt16 = 0
    private var overflow: UInt16 = 0
    private var waiting: [Waiting] = []
    private var spokeAt: Instant?
    private var decoder = TriggerDecoder()

    /// How many events wait for an acknowledgement.
    package var waitingCount: Int { waiting.count }

    /// - Parameter boot: another number at each start.
    package init(boot: UInt16) {
        self.boot = boot
    }

    /// - Returns: what it says.
    package mutating func handle(_ event: Event, at now: Instant) -> [TriggerFrame] {
        switch event {
        case .vehicle(let lane, let direction, let speed):
            guard waiting.count < Self.room else {
                overflow &+= 1
                return []
            }
            number &+= 1
            waiting.append(
                Waiting(
                    name: .init(boot: boot, number: number), at: now, lane: lane, direction: direction,
                    speedTenths: speed.map { UInt16(clamping: Int(($0 * 10).rounded())) }))
            return send(now)
        case .received(let bytes): return decoder.feed(bytes).flatMap { take($0, at: now) }
        case .tick:
            let frames = send(now)
            guard frames.isEmpty, spokeAt.map({ now - $0 >= Self.heartbeatEvery }) ?? true else { return frames }
            return [heartbeat(now)]
        }
    }

    private mutating func take(_ finding: TriggerDecoder.Finding, at now: Instant) -> [TriggerFrame] {
        switch finding {
        case .frame(.acknowledged(let name)):
            waiting.removeAll { $0.name == name }
            return []
        case .frame(.refused(.damaged)):
            for index in waiting.indices { waiting[index].sentAt = nil }
            return send(now)
        case .frame(.ask): return [heartbeat(now)]
        // What comes damaged is said once more by itself.
        default: return []
        }
    }

    private mutating func heartbeat(_ now: Instant) -> TriggerFrame {
        spokeAt = now
        return .heartbeat(.init(boot: boot, number: number), overflow: overflow)
    }

    /// What was not sent yet, or not acknowledged in time, the oldest first.
    private mutating func send(_ now: Instant) -> [TriggerFrame] {
        var frames: [TriggerFrame] = []
        for index in waiting.indices
        where waiting[index].sentAt.map({ now - $0 >= Self.resendAfter }) ?? true {
            waiting[index].sentAt = now
            let event = waiting[index]
            frames.append(
                .event(
                    event.name, overflow: overflow,
                    ageMilliseconds: UInt32(clamping: (now - event.at).milliseconds), lane: event.lane,
                    direction: event.direction, speedTenths: event.speedTenths))
        }
        if !frames.isEmpty { spokeAt = now }
        return frames
    }
}
