import Foundation

/// What `news` answers: whether there is anything to fetch. It is asked nothing.
package struct NewsAnswer: Decodable, Sendable {
    /// Who has read everything while it was the same has nothing to read.
    package var number: Int64

    /// Another one as soon as the road, the settings of the post, its key or the lists have changed; nil at a server that doesn't say.
    package var reference: String?

    /// What the other post says of itself; none where it said nothing yet.
    package var reviews: [ReviewsRow]
}

/// The body of a call that says nothing.
package struct NoQuestion: Encodable, Sendable {
    package init() {}
}
