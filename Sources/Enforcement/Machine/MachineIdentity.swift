/// What tells one machine from another: serial numbers that its disk does not carry along.
///
/// | on record | this machine | it is |
/// | --- | --- | --- |
/// | nothing | anything | the box, from now on |
/// | anything | nothing is known of it | taken for the box: nothing speaks against it |
/// | one in common | | the box: a card or an adapter was changed |
/// | none in common | | another machine: the disk was copied or moved |
package struct MachineIdentity: Sendable, Equatable, Codable {
    /// Such as `serial:10000000a1b2c3d4` and `mac:dc:a6:32:01:02:03`.
    package var traits: Set<String>

    package init(traits: Set<String>) {
        self.traits = traits
    }

    package enum Standing: Sendable, Equatable {
        case known
        /// The box, with traits that are to be put on record.
        case changed
        case other
    }

    /// - Parameter recorded: the machine that the records belong to; nil before there is one.
    package func standing(to recorded: MachineIdentity?) -> Standing {
        guard !traits.isEmpty else { return .known }
        guard let recorded, !recorded.traits.isEmpty else { return .changed }
        if recorded == self { return .known }
        return recorded.traits.isDisjoint(with: traits) ? .other : .changed
    }
}
