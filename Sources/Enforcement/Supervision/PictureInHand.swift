/// Which picture a camera's part has in hand, and which ones it ended over.
///
/// A folder gives a picture again until it is answered for. One that ends the part each time would end the camera for good, so
/// it is set aside when the part has ended over it twice. Pictures are named by their source key.
package struct PictureInHand: Codable, Equatable, Sendable {
    private struct Suspect: Codable, Equatable, Sendable {
        var key: String
        var ends: Int
        var reason: String
    }

    /// Ends over one picture until it is set aside: one may be chance.
    private static let mostEnds = 2
    private static let keptSuspects = 32

    private var inHand: String?
    private var suspects: [Suspect] = []

    package init() {}

    /// The part begins again after it ended without being asked.
    package mutating func begin(after reason: String) {
        guard let key = inHand else { return }
        inHand = nil
        let ends = suspects.first { $0.key == key }?.ends ?? 0
        suspects.removeAll { $0.key == key }
        suspects.append(Suspect(key: key, ends: ends + 1, reason: reason))
        if suspects.count > Self.keptSuspects { suspects.removeFirst() }
    }

    /// Takes a picture in hand.
    ///
    /// - Returns: why it is to be set aside; nil when it can be looked at.
    package mutating func take(_ key: String) -> String? {
        if let suspect = suspects.first(where: { $0.key == key }), suspect.ends >= Self.mostEnds {
            return "set aside, since the camera's part stopped working over it \(suspect.ends) times: \(suspect.reason)"
        }
        inHand = key
        return nil
    }

    /// The picture was looked at: what happens from now on isn't its doing.
    package mutating func putDown() {
        inHand = nil
    }

    /// The picture is answered for.
    package mutating func answered(_ key: String) {
        inHand = nil
        suspects.removeAll { $0.key == key }
    }
}
