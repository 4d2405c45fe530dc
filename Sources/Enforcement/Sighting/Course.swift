/// Which way a vehicle goes, as its camera sees it; where the picture doesn't tell there is none.
package enum Course: String, Sendable, Codable, CaseIterable {
    /// It comes towards the camera: its plate grows.
    case approaching

    /// It goes away from the camera: its plate shrinks.
    case receding

    /// Which way the vehicle went past the post.
    ///
    /// - Parameter approaching: what a vehicle that comes towards this camera does.
    package func travel(approaching: Travel) -> Travel { self == .approaching ? approaching : approaching.opposite }
}
