/// How often a connection is asked about: at once while an answer is awaited, then rarer and rarer until it is given up. The server may
/// still have something to say, and a question costs something on a radio.
package struct RelayPace: Sendable, Equatable {
    private static let shortest: Int32 = 500
    private static let longest: Int32 = 15_000
    private static let most: Int32 = 60_000

    /// Whether something is to come: after something was sent, and until nothing more of its answer came.
    package private(set) var isAwaiting = false

    /// How many milliseconds a question may wait for an answer. Where one has begun, the next request may come at any moment, and must not
    /// stand behind the question whether there is more of it.
    package var wait: Int { !isAwaiting ? 0 : hasAnswer ? 150 : 1000 }

    /// So many milliseconds the next request is given before that.
    package var lull: Int32 { hasAnswer ? 20 : 0 }

    /// So long nobody asks, in milliseconds.
    private var rest = Self.shortest
    private var hasAnswer = false
    private var waited: Int32 = 0
    private var rested: Int32 = 0

    package init() {}

    /// Whether nobody needs it any more.
    package var isOver: Bool { rested >= Self.most }

    package mutating func sends() {
        (isAwaiting, hasAnswer) = (true, false)
        (rest, waited, rested) = (Self.shortest, 0, 0)
    }

    package mutating func heard(something: Bool) {
        waited = 0
        if something {
            (isAwaiting, hasAnswer, rest, rested) = (true, true, Self.shortest, 0)
        } else if isAwaiting, hasAnswer {
            isAwaiting = false
        } else if !isAwaiting {
            rest = min(Self.longest, rest * 2)
        }
    }

    /// - Returns: whether it is to be asked now.
    package mutating func isDue(after milliseconds: Int32) -> Bool {
        waited += milliseconds
        rested += milliseconds
        return waited >= rest
    }
}
