import Enforcement
import Foundation
import Hummingbird

/// What a list of passages asks for.
struct PassageSearch: Sendable, Equatable {
    var part: String?
    var isAlike = false
    /// A whole plate: the history of a vehicle.
    var plate: String?
    var checkpost: String?
    var type: VehicleType?
    var state: State?
    var days = DaySpan()
    var before: PageMark?

    enum State: String, CaseIterable, Sendable {
        case matched, unmatched, inside, violation
    }

    init() {}

    init(_ filter: ListFilter, state: String?) {
        (part, isAlike, checkpost, type) = (filter.part, filter.isAlike, filter.post, filter.type)
        (days, before) = (filter.days, filter.before)
        self.state = state.flatMap(State.init(rawValue:))
    }

    /// As `checkpost.find_passages` takes it.
    func json(limit: Int) throws -> String {
        var filter: [String: Any] = ["limit": limit]
        filter["part"] = part
        if isAlike { filter["alike"] = true }
        filter["plate"] = plate
        filter["checkpost"] = checkpost
        filter["type"] = type?.rawValue
        filter["state"] = state?.rawValue
        filter["since"] = days.from.map { Micros($0).value }
        filter["until"] = days.until.map { Micros($0).value }
        filter["before"] = before.map { ["time": $0.time.value, "id": $0.id] as [String: Any] }
        return String(decoding: try JSONSerialization.data(withJSONObject: filter), as: UTF8.self)
    }
}
