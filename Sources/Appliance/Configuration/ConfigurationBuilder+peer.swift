import Enforcement

/// [peer].
extension ConfigurationSchema {
    static let peerKeys: [ConfigurationKey] = [
        .init("peer", "address", .text, example: "\"0.0.0.0\"", "Where this post listens for the other one."),
        .init(
            "peer", "port", .whole(1024...65535), example: "8460",
            "The port. The other post has to reach it over the radio or the cable between the two."),
        .init(
            "peer", "silent_after_minutes", .number(1...1440), example: "10",
            "The time without a word of the other post that is an alarm."),
        .init(
            "peer", "photo_kilobytes", .whole(0...2000), example: "100",
            "Pictures of violations go over the link when somebody looks, made so small; 0 for none, where a radio is slow."
        ),
        .init(
            "peer", "relay", .flag, example: "true",
            "Whether records go to the server through the other post or a hub while this box's own link is down, and theirs through this one."
        ),
    ]
}

extension ConfigurationBuilder {
    mutating func peer() -> Configuration.PeerSettings? {
        guard lines["peer"] != nil else { return nil }
        var settings = Configuration.PeerSettings()
        if let address = text("peer.address") {
            settings.address = address
            if !address.allSatisfy({ $0.isHexDigit || $0 == "." || $0 == ":" }) || address.isEmpty {
                refuse("peer.address", "\"\(address)\" is no address", "an IP address of this machine, or 0.0.0.0")
            }
        }
        settings.port = whole("peer.port") ?? settings.port
        if settings.port == whole("console.port") {
            refuse("peer.port", "this is the port of the console", "a port of its own")
        }
        if let minutes = number("peer.silent_after_minutes") { settings.silentAfter = .minutes(minutes) }
        if let kilobytes = whole("peer.photo_kilobytes") { settings.photoBytes = kilobytes << 10 }
        settings.relays = flag("peer.relay") ?? settings.relays
        return settings
    }
}
