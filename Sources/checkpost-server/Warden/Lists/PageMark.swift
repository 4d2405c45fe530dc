import Foundation
import Hummingbird

/// Where a page of a list ended: the next one begins behind it, however much was added in front meanwhile.
struct PageMark: Sendable, Equatable {
    let time: Micros
    let id: String

    init(time: Micros, id: String) {
        self.time = time
        self.id = id
    }

    /// Where the request's list goes on, `1795200000000000_0c5f…`; nil at its beginning, and for what is no mark.
    ///
    /// - Parameter isID: what an id of this list looks like.
    init?(_ request: Request, isID: (String) -> Bool = { UUID(uuidString: $0) != nil }) {
        let parts = (request.formQuery.get("before") ?? "").split(separator: "_")
        guard parts.count == 2, let time = Int64(parts[0]), time.magnitude < 1 << 53, isID(String(parts[1])) else {
            return nil
        }
        self.init(time: Micros(time), id: String(parts[1]))
    }

    var text: String { "\(time.value)_\(id)" }
}
