/// A plate that the park's office lists for its posts.
package struct ListedPlate: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// It is watched for: a passage of it is an alert of its own.
        case wanted

        /// It raises no alarm.
        case exempt
    }

    package var kind: Kind
    package var plate: Plate

    /// Short: it stands on the alert.
    package var reason: String

    /// When the office put it there. A passage before it is none of the list's.
    package var listedAt: Instant

    package init(kind: Kind, plate: Plate, reason: String, listedAt: Instant) {
        self.kind = kind
        self.plate = plate
        self.reason = reason
        self.listedAt = listedAt
    }
}
