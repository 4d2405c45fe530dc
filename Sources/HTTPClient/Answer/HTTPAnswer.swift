import Foundation

/// An answer that came whole.
package struct HTTPAnswer: Sendable, Equatable {
    package var head: HTTPHead
    package var body: Data

    package init(head: HTTPHead, body: Data) {
        (self.head, self.body) = (head, body)
    }

    package var status: Int { head.status }
}
