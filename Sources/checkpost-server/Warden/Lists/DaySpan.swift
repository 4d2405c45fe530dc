import Enforcement
import Hummingbird
import Pages

/// The days that a list is of, as a calendar in Nepal has them; both may be open.
struct DaySpan: Sendable, Equatable {
    var from: Instant?
    var until: Instant?

    init() {}

    init(_ request: Request) {
        let query = request.formQuery
        from = query.get("from").flatMap(NepalTime.start)
        until = query.get("to").flatMap(NepalTime.start).map { $0 + .hours(24) }
    }
}
