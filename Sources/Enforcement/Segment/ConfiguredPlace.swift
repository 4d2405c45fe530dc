/// Where the configuration says that the box stands.
package struct ConfiguredPlace: Sendable, Equatable {
    package var code: String
    package var otherCode: String

    /// The number of the post along the road: the entry of two equal times is at the lower one.
    package var position: Int

    package init(code: String, otherCode: String, position: Int) {
        self.code = code
        self.otherCode = otherCode
        self.position = position
    }

    /// What the server has otherwise, and what to do about it; nil when both say the same, or the server has no such post.
    ///
    /// - Parameter road: the posts of the road as the server has them.
    package func contradiction(with road: [Checkpost]) -> String? {
        guard let own = road.first(where: { $0.code == code }) else { return nil }
        let others = road.map(\.code).filter { $0 != code }
        guard others.contains(otherCode) else {
            let known = others.isEmpty ? "no other post yet" : others.sorted().joined(separator: " and ")
            return
                "At the other end of the road of \(code) the server has \(known), and not \(otherCode): correct `other_code` "
                + "in [post], or have the warden add the post."
        }
        guard own.positionIndex != position else { return nil }
        return "The server has \(code) at position \(own.positionIndex) of the road: correct `position` in [post]."
    }
}
