import Hummingbird
import NIOCore
import Pages

/// A request with who sends it, and in which language and light the answer is wanted.
struct ConsoleContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let address: String
    var active: SessionKeeper.Active?
    var texts = Texts.english

    /// Whether pages are black on white, for a screen in the sun.
    var isDay = false

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }

    /// Whether the request comes from the box itself: the post's own screen.
    var isAtPost: Bool { Self.isAtPost(address) }

    static func isAtPost(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address == "::ffff:127.0.0.1"
    }

    /// - Throws: when nobody is signed in.
    func user() throws(ConsoleError) -> SessionKeeper.Active {
        guard let active else { throw .signedOut }
        return active
    }
}
