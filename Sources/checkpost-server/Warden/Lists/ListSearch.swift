import Enforcement
import Foundation

/// The rows of one table that a list shows, the newest first: only what is asked for stands in the query, so that the planner sees which index
/// serves it. The row is called `l`.
struct ListSearch {
    private let table: String
    private let time: String
    private var statement = SQLStatement()
    private var conditions: [String] = []

    /// - Parameter time: the column that says how new a row is.
    init(table: String, time: String) {
        self.table = table
        self.time = time
    }

    mutating func add(_ condition: (inout SQLStatement) -> String) {
        conditions.append(condition(&statement))
    }

    /// What all lists of findings are narrowed by.
    ///
    /// - Parameter segment: the only one that the account sees. Row level security says so too; said here, an index can serve it.
    mutating func narrow(segment: String?, _ filter: ListFilter) {
        let time = time
        if let segment { add { "l.segment_id = \($0.bind(segment, as: "uuid"))" } }
        if let post = filter.post {
            add { "l.segment_id = (select c.segment_id from checkposts c where c.id = \($0.bind(post, as: "uuid")))" }
        }
        if let part = filter.part {
            let plate = "checkpost.compact_plate(l.plate_number)"
            if filter.isAlike {
                add { "\(plate) ~ checkpost.alike_pattern(\($0.bind(part, as: "text")))" }
            } else {
                add { "\(plate) like '%' || \($0.bind(part, as: "text")) || '%'" }
            }
        }
        if let type = filter.type { add { "l.vehicle_type = \($0.bind(type.rawValue, as: "text"))" } }
        if let from = filter.days.from { add { "l.\(time) >= \(Micros(from).bound(&$0))" } }
        if let until = filter.days.until { add { "l.\(time) < \(Micros(until).bound(&$0))" } }
        if let before = filter.before {
            add { "(l.\(time), l.id) < (\(before.time.bound(&$0)), \($0.bind(before.id, as: "uuid")))" }
        }
    }

    func sql(limit: Int) -> (sql: String, parameters: [String?]) {
        let condition = conditions.isEmpty ? "" : "where " + conditions.joined(separator: " and ")
        return (
            "select * from \(table) l \(condition) order by l.\(time) desc, l.id desc limit \(limit)",
            statement.parameters
        )
    }
}

extension Micros {
    /// This moment as a parameter of a statement.
    func bound(_ statement: inout SQLStatement) -> String {
        "timestamptz 'epoch' + \(statement.bind(String(value), as: "bigint")) * interval '1 microsecond'"
    }
}
