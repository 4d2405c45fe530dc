import Enforcement
import Foundation
import Hummingbird
import Pages

/// What every list can be narrowed by, as its query says it; what makes no sense is left out.
struct ListFilter: Sendable {
    let part: String?
    /// Whether what looks like the part counts, too.
    let isAlike: Bool
    let post: String?
    let type: VehicleType?
    let days: DaySpan
    let before: PageMark?
    private let typed: [String: String]

    init(_ request: Request) {
        let query = request.formQuery
        part = PlatePart.typed(request.typed("plate"))
        isAlike = query.get("alike") == "1"
        post = query.get("post").flatMap { UUID(uuidString: $0)?.uuidString.lowercased() }
        type = query.get("type").flatMap(VehicleType.init(rawValue:))
        days = DaySpan(request)
        before = PageMark(request)
        typed = ["plate", "from", "to"].reduce(into: [:]) { $0[$1] = request.typed($1) }
    }

    /// The fields of the form above a list, as they were filled in.
    func fill(_ model: inout [String: Any], posts: [PostChoice], _ texts: Texts) {
        model["filter"] = typed
        model["isAlike"] = isAlike
        model["posts"] = PostChoice.options(posts, chosen: post)
        model["types"] = Choice.types(type, texts)
    }
}
