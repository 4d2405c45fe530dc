import Enforcement
import Foundation

/// A road as the server told it last.
struct Place: Equatable {
    var segment: Segment
    var checkposts: [Checkpost]

    /// The server's id of a post.
    func id(of code: String) -> UUID? { checkposts.first { $0.code == code }?.id }
}
