import Hummingbird

/// One page of a list, and whether it goes on: one row more than it shows is asked for.
struct ListPage<Row> {
    let rows: ArraySlice<Row>
    private let goesOn: Bool

    init(_ found: [Row], size: Int) {
        rows = found.prefix(size)
        goesOn = found.count > size
    }

    /// Where the next page is, for a browser and for the script that fetches it as a part.
    func model(_ request: Request, _ list: String, _ filters: [String], mark: (Row) -> PageMark) -> [String: Any] {
        guard goesOn, let last = rows.last else { return [:] }
        let next = [request.query(filters), "before=" + mark(last).text].filter { !$0.isEmpty }.joined(separator: "&")
        return ["morePath": "/warden/\(list)?" + next, "moreFragment": "/warden/fragments/\(list)?" + next]
    }
}
