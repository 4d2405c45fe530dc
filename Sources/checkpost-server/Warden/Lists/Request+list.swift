import Foundation
import Hummingbird
import Pages

extension Request {
    /// The query of a list without its place in it.
    func query(_ names: [String]) -> String {
        names.compactMap { name in
            formQuery.get(name).map { "\(name)=\($0.escapedForQuery)" }
        }.joined(separator: "&")
    }

    /// What was typed in a filter, to be shown in it again.
    func typed(_ name: String, most length: Int = 40) -> String {
        formQuery.get(name).map { String($0.prefix(length)) } ?? ""
    }
}
