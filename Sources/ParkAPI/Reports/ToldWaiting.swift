import Enforcement

/// What waits at a post, as it is told: to the server, in an export, over the direct link. Its times are texts here: one that makes no sense
/// must not hide the others.
package struct ToldWaiting: Codable, Equatable, Sendable {
    private let at: String
    private let plate: String

    /// Of a stretch that nobody watched. An earlier version passes it over, and takes the stretch for a vehicle that passed at its end.
    private let unwatchedFrom: String?

    private enum CodingKeys: String, CodingKey {
        case at, plate
        case unwatchedFrom = "unwatched_from"
    }

    package init(_ sighting: WaitingSighting) {
        at = sighting.seenAt.iso8601
        plate = sighting.plate.canonical
        unwatchedFrom = sighting.unwatchedFrom?.iso8601
    }

    /// Nil when it passed at no time.
    package var sighting: WaitingSighting? {
        Instant(iso8601: at).map {
            WaitingSighting(
                seenAt: $0, plate: Plate(canonical: String(plate.prefix(ContractLimits.waitingPlate))),
                unwatchedFrom: unwatchedFrom.flatMap(Instant.init(iso8601:)))
        }
    }
}
