import Enforcement
import Storage

/// Writes this post's passages for people, programs, and the other post.
package struct PassageExport {
    private let store: Store
    private let cameras: [String]

    /// - Parameter cameras: of this post.
    package init(store: Store, cameras: [String]) { (self.store, self.cameras) = (store, cameras) }

    /// The last row tells what waits for review: the other post must not take a vehicle for lost that waits here.
    package func write(from: Instant?, until: Instant?, to table: inout RowWriter) throws {
        let now = BoxClock.now
        let reviews = try store.sightings.reviewsToTell(asOf: min(now, until ?? now), cameras: cameras, by: .file)
        var last: ListedPassage?
        try store.passages.forEach(PassageFilter(from: from, until: until)) {
            if let last { try table.write(last) }
            last = ListedPassage($0)
        }
        last?.postReviews = PostReviewsRow(reviews)
        if let last { try table.write(last) }
    }
}
