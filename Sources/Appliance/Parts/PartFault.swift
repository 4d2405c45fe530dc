import Enforcement
import Foundation

/// Makes parts fail on purpose, for the tests of their containment: `CHECKPOST_FAULT`, read here and nowhere else.
///
/// `sync=trap@start,console=hang@work,camera.gate=memory@work*1;patience=3;memory=400`: what each part does (`trap` like a fault in
/// the program, `hang` for good, use up `memory`), at its
/// start, while a camera looks for pictures, or in the middle of its work, at each of its runs or in the first so
/// many. `patience` shortens the bounds of time of the parts that are named to so many seconds, `memory` their bound of memory to so many MB.
/// Without the variable nothing of this is there.
struct PartFault: Sendable {
    enum Moment: String, Sendable { case start, look, work }
    private enum Kind: String, Sendable { case trap, hang, memory }

    private struct Order: Sendable {
        let part: String
        let kind: Kind
        let moment: Moment
        let times: Int
    }

    private let orders: [Order]
    private let part: String
    private let ends: Int
    private let patienceSeconds: Double?
    private let memoryMegabytes: Int?

    /// - Parameter ends: how many runs of the part ended before this one.
    init(
        part: String = "", ends: Int = 0,
        text: String = ProcessInfo.processInfo.environment["CHECKPOST_FAULT"] ?? ""
    ) {
        var (orders, patience, memory): ([Order], Double?, Int?) = ([], nil, nil)
        for word in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2 else { continue }
            switch sides[0] {
            case "patience": patience = Double(sides[1])
            case "memory": memory = Int(sides[1])
            default:
                let words = sides[1].split(whereSeparator: { $0 == "@" || $0 == "*" }).map(String.init)
                guard words.count >= 2, let kind = Kind(rawValue: words[0]), let moment = Moment(rawValue: words[1])
                else { continue }
                let times = words.count > 2 ? Int(words[2]) ?? .max : .max
                orders.append(Order(part: sides[0], kind: kind, moment: moment, times: times))
            }
        }
        (self.orders, self.part, self.ends) = (orders, part, ends)
        (patienceSeconds, memoryMegabytes) = (patience, memory)
    }

    /// The bounds of a part, shorter when it is to fail.
    func shortened(_ bounds: PartBounds, of part: Part) -> PartBounds {
        guard orders.contains(where: { $0.part == part.name }) else { return bounds }
        var bounds = bounds
        if let patienceSeconds {
            let patience = TimeSpan.seconds(patienceSeconds)
            bounds.start = min(bounds.start, patience)
            bounds.work = min(bounds.work, patience)
            bounds.secondPause = min(bounds.secondPause, patience)
            bounds.longestPause = min(bounds.longestPause, patience)
        }
        if let memoryMegabytes { bounds.memoryBytes = min(bounds.memoryBytes, memoryMegabytes << 20) }
        return bounds
    }

    /// A bound of time within a part that is to fail.
    func shortened(_ span: TimeSpan) -> TimeSpan {
        guard let patienceSeconds, orders.contains(where: { $0.part == part }) else { return span }
        return min(span, .seconds(patienceSeconds))
    }

    /// Fails here, if that is what was asked for.
    func strike(_ moment: Moment) {
        guard let order = orders.first(where: { $0.part == part && $0.moment == moment && ends < $0.times }) else {
            return
        }
        switch order.kind {
        case .trap: preconditionFailure("a fault was asked for")
        case .hang: while true { sleep(3600) }
        case .memory:
            var hoard: [UnsafeMutableRawPointer] = []
            let chunk = 16 << 20
            while true {
                if let memory = malloc(chunk) {
                    memset(memory, 0x55, chunk)
                    hoard.append(memory)
                }
                usleep(40_000)
            }
        }
    }
}
