/// Why a cycle ended before it was through.
package struct CycleEnd: Error, Sendable, Equatable {
    package var reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
