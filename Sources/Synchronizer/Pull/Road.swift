import Foundation

/// Where this post stands, by the server's ids.
struct Road {
    var segment: UUID
    var own: UUID
}
