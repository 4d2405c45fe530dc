import Foundation

/// An answer that came whole.
package struct HTTPAnswer: Sendable, Equatable {
    package var head: HTTPHead
    package var body: Data

    package var status: Int { head.status }
}
