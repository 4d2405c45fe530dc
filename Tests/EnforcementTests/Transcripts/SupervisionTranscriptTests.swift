import TestKit
import Testing

@testable import Enforcement

@Suite("The supervision through a bad night", .timeLimit(.minutes(10)))
struct SupervisionTranscriptTests {
    private static let parts: [Part] = [.camera("gate"), .camera("exit"), .rounds, .sync, .sms, .console]

    private struct Box {
        var supervisor: PartSupervisor
        var random: SeededGenerator
        var script = Transcript()
        var now: Instant
        var named: [Instant] = []

        init(seed: UInt64) {
            supervisor = PartSupervisor(parts.map { ($0, PartBounds($0, machineBytes: 4 << 30)) })
            random = SeededGenerator(seed: seed)
            now = script.start
        }

        mutating func run(_ steps: Int) {
            for _ in 0..<steps {
                let event = event()
                let actions = supervisor.handle(event, at: now)
                for state in supervisor.states {
                    if case .waiting(let until) = state.phase { named.append(until) }
                    let bounds = PartBounds(state.part, machineBytes: 4 << 30)
                    named += [
                        state.lastBeat + bounds.work, state.lastBeat + bounds.start,
                        state.startedAt + PartSupervisor.wellAfter,
                    ]
                }
                let phases = supervisor.states.map { letter($0) }.joined()
                let isInOrder = supervisor.isInOrder(at: now) ? "" : " out of order"
                if !actions.isEmpty || !isInOrder.isEmpty {
                    script.add(
                        "\(script.time(now)) \(text(event)): \(actions.map(text).joined(separator: "; ")) | \(phases)\(isInOrder)"
                    )
                }
                goOn()
            }
            script.add(supervisor.statusText)
        }

        private mutating func goOn() {
            if random.hundredths(25), let moment = named.filter({ $0 > now }).min() {
                now = moment + .milliseconds([-1, 0, 1][random.below(3)])
            } else {
                now = now + .seconds(random.one(of: [0, 0.2, 0.5, 1, 1, 1, 2, 2.001, 7, 30]))
            }
            named.removeAll { $0 <= now }
        }

        private mutating func event() -> PartSupervisor.Event {
            if script.lines.isEmpty { return .begin }
            let part = random.one(of: parts)
            switch random.below(100) {
            case 0...54: return .tick
            case 55...84: return .beat(part)
            case 85...89: return .able(part)
            case 90...93:
                return .ended(part, random.one(of: [.exited(status: 0), .signalled(4), .signalled(9), .signalled(99)]))
            case 94: return .notStarted(part, reason: "no such file")
            case 95, 96:
                let bytes = random.one(of: [256, 512, 1024]) << 20
                return .memory(part, bytes: bytes + random.one(of: [0, 1, 1 << 20]))
            default: return .tick
            }
        }

        private func letter(_ state: PartSupervisor.State) -> String {
            let letter =
                switch state.phase {
                case .waiting: "w"
                case .starting: "s"
                case .up: "u"
                case .ending: "e"
                case .stopped: "-"
                }
            return state.isRecording ? letter.uppercased() : letter
        }

        func text(_ event: PartSupervisor.Event) -> String {
            switch event {
            case .beat(let part): "beat \(part.name)"
            case .able(let part): "able \(part.name)"
            case .ended(let part, let ending): "ended \(part.name) \(ending.text)"
            case .notStarted(let part, _): "not started \(part.name)"
            case .memory(let part, let bytes): "memory \(part.name) \(bytes)"
            default: "\(event)"
            }
        }

        func text(_ action: PartSupervisor.Action) -> String {
            switch action {
            case .start(let part, let reason, let ends): "start \(part.name) \(ends) \(reason ?? "first")"
            case .terminate(let part): "terminate \(part.name)"
            case .kill(let part): "kill \(part.name)"
            case .raise(_, let alarm):
                alarm.message + (alarm.isRepeated ? " (repeated)" : "") + (alarm.isCritical ? " (critical)" : "")
            case .clear(let part): "clear \(part.name)"
            case .ready: "ready"
            case .finished: "finished"
            }
        }
    }

    @Test(arguments: [(1, "parts-one-night"), (2, "parts-another-night")])
    func `does what its transcript says`(seed: UInt64, name: String) throws {
        var box = Box(seed: seed)
        box.run(2000)
        // And at its end all is asked to stop, and what doesn't is killed.
        for (event, after) in [
            (PartSupervisor.Event.stop, 0.0), (.stop, 0.1), (.ended(.sms, .exited(status: 0)), 1), (.tick, 3.149),
            (.tick, 0.001), (.ended(.camera("gate"), .signalled(9)), 0.1), (.ended(.camera("exit"), .signalled(9)), 0),
            (.ended(.rounds, .signalled(9)), 0), (.ended(.sync, .signalled(9)), 0),
            (.ended(.console, .signalled(9)), 0), (.tick, 1),
        ] {
            box.now = box.now + .seconds(after)
            let actions = box.supervisor.handle(event, at: box.now).map(box.text).joined(separator: "; ")
            box.script.add("\(box.script.time(box.now)) \(box.text(event)): \(actions)")
        }
        try box.script.check(name)
    }

    @Test func `bounds each part as the table says`() throws {
        var script = Transcript()
        for part in Self.parts {
            for machine in [0, 1 << 30, 8 << 30] {
                let bounds = PartBounds(part, machineBytes: machine)
                let pauses = (0...12).map { Transcript.seconds(bounds.pause(afterEnds: $0)) }.joined(separator: " ")
                script.add(
                    "\(part.name) of \(machine >> 20) MB: \(bounds.memoryBytes >> 20) MB, start "
                        + "\(Transcript.seconds(bounds.start)), work \(Transcript.seconds(bounds.work)), pauses \(pauses)"
                )
            }
            script.add("\(part.name): \(part.isCamera) \(part.isEssential) \(part.title). \(part.hint)")
            #expect(Part(name: part.name) == part)
        }
        #expect(PartBounds(.sync, machineBytes: 0).pause(afterEnds: .max) == .minutes(5))
        for name in ["camera", "camera.", "other.gate", "gate", ""] { #expect(Part(name: name) == nil, "\(name)") }
        #expect(Part(name: "camera.a.b") == .camera("a.b"))
        try script.check("parts")
    }

    @Test func `sets a picture aside when its part ended over it twice`() {
        var pictures = PictureInHand()
        #expect(pictures.take("a") == nil)
        pictures.begin(after: "first")
        #expect(pictures.take("a") == nil)
        pictures.begin(after: "second")
        #expect(
            pictures.take("a") == "set aside, since the camera's part stopped working over it 2 times: second")
        // One that was put down, or answered for, is not what it ended over.
        #expect(pictures.take("b") == nil)
        pictures.putDown()
        pictures.begin(after: "chance")
        pictures.begin(after: "chance")
        #expect(pictures.take("b") == nil)
        pictures.answered("a")
        pictures.begin(after: "chance")
        #expect(pictures.take("a") == nil)
        pictures.answered("a")
        // It remembers thirty-two, the last ones.
        for round in 1...2 {
            for key in 0...32 where round == 1 || key > 0 {
                #expect(pictures.take("\(key)") == nil, "\(key)")
                pictures.begin(after: "round \(round)")
            }
        }
        #expect(pictures.take("0") == nil)
        #expect(pictures.take("1") != nil && pictures.take("32") != nil)
    }

    @Test func `knows how a link and a camera go through a night`() throws {
        var random = SeededGenerator(seed: 9)
        var script = Transcript()
        var now = script.start
        var link = LinkMonitor(lastSuccess: now - .minutes(4), startedAt: now)
        var camera = CameraSupervision(silentAfter: .seconds(10))
        let late = CameraFailure("login refused", hint: "Check the password", retriesLate: true)
        let lost = CameraFailure("no route", hint: "Check the cable")
        for _ in 0..<400 {
            now = now + .seconds(random.one(of: [0.5, 1, 3, 4, 10, 10.001, 30, 59.999, 60, 60, 300]))
            let share = random.share()
            let word = random.one(of: [
                LinkMonitor.Event.wellAnswered, .badlyAnswered, .unanswered, .networkChanged, .tick, .tick,
            ])
            let linkDid = link.handle(word, at: now, random: share)
            let since = link.offlineSince(at: now).map { script.time($0) } ?? "online"
            let seen = random.one(of: [
                CameraSupervision.Event.started, .opened, .delivered, .delivered, .judged(isReadable: true),
                .judged(isReadable: false), .judged(isReadable: false), .failed(late), .failed(lost), .tick, .tick,
                .tick,
            ])
            // Broken pictures come in rows.
            let times = seen == .judged(isReadable: false) ? random.one(of: [1, 9, 10]) : 1
            let cameraDid = (0..<times).flatMap { _ in camera.handle(seen, at: now, random: share) }
            script.add(
                "\(script.time(now)) \(word): \(linkDid.map { text($0) }) \(since) level \(link.level(at: now).rawValue) next "
                    + "\(script.time(link.nextProbe)) | \(text(seen))×\(times): \(cameraDid.map { text($0) }) \(camera.phase.rawValue) "
                    + "\(camera.phase.givesPictures) \(camera.attempts)")
        }
        try script.check("link-and-camera")
    }

    private func text(_ action: LinkMonitor.Action) -> String {
        if case .cameBack(let outage) = action { return "back after \(Transcript.seconds(outage))" }
        return "\(action)"
    }

    private func text(_ event: CameraSupervision.Event) -> String {
        if case .failed(let failure) = event { return failure.reason }
        return "\(event)"
    }

    private func text(_ action: CameraSupervision.Action) -> String {
        switch action {
        case .report(.silent(let span)): "silent for \(Transcript.seconds(span))"
        case .report(.recovered(let span)): "recovered after \(Transcript.seconds(span))"
        case .report(.failed(let failure, let delay)): "\(failure.reason), again in \(Transcript.seconds(delay))"
        case .restart(let delay): "restart after \(Transcript.seconds(delay))"
        default: "\(action)"
        }
    }
}
