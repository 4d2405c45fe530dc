import ParkAPI

/// Another road of the park, with a post of its own.
extension ParkServer {
    static let furtherSegment = "b0000000-0000-4000-8000-000000000003"
    static let postC = "b0000000-0000-4000-8000-00000000000c"
    static let rangerC = "c0000000-0000-4000-8000-000000000003"

    func addFurtherRoad() {
        lock.withLock {
            let road: [SegmentColumn: Any] = [
                .id: Self.furtherSegment, .name: "Thakurdwara", .distanceKm: 4.5, .maxSpeedKmh: 40, .minSpeedKmh: 10,
            ]
            let post: [CheckpostColumn: Any] = [
                .id: Self.postC, .segment: Self.furtherSegment, .code: "BNP-C", .name: "BNP-C", .positionIndex: 0,
            ]
            let profile: [ProfileColumn: Any] = [
                .id: Self.rangerC, .role: AccountRole.ranger.rawValue, .isActive: true,
                .assignedCheckpost: Self.postC,
            ]
            tables[Table.highwaySegments.rawValue]?.append(Row(cells: road))
            tables[Table.checkposts.rawValue]?.append(Row(cells: post))
            tables[Table.userProfiles.rawValue]?.append(Row(cells: profile))
        }
    }

    /// Whether a row may be seen by whoever asks: what is known of a post is known on its road.
    func isOfRoad(_ row: Row) -> Bool {
        guard row.text(PassageColumn.checkpost) != nil else { return true }
        return Self.isOfFurtherRoad(row) == (profile.text(ProfileColumn.assignedCheckpost) == Self.postC)
    }

    static func isOfFurtherRoad(_ passage: Row) -> Bool { passage.text(PassageColumn.checkpost) == postC }
}
