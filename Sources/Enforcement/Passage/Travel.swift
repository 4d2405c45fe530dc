/// Which way a vehicle went past its post, seen from the road between the posts; where nobody knows there is none.
///
/// It is known only where a camera was told which way the vehicles go that come towards it. Decision note 0300.
package enum Travel: String, Sendable, Codable, CaseIterable {
    /// It came onto the road: it can't be the end of a drive along it.
    case entering

    /// It left the road: it can't be the beginning of a drive along it.
    case leaving

    package var opposite: Travel { self == .entering ? .leaving : .entering }
}
