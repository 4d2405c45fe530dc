import Foundation
import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// Serves until the surrounding group shuts down. Should the port be taken, it is tried again: recording must not end because nobody can
/// be listened to.
package enum KeptServing {
    private static let pause = Duration.seconds(10)

    /// - Parameter failed: gets why it ended; it is tried again 10 s later.
    package static func run(_ serve: () async throws -> Void, failed: (any Error) -> Void) async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                try await serve()
                return
            } catch is CancellationError {
                return
            } catch {
                failed(error)
                await cancelWhenGracefulShutdown { try? await Task.sleep(for: pause) }
            }
        }
    }
}

/// Why an address can't be listened at.
package enum ListeningFault: Equatable {
    case taken
    case notHere
    case other(String)

    package init(_ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: self = .taken
        case EADDRNOTAVAIL, EACCES: self = .notHere
        default: self = .other("\(error)")
        }
    }

    /// `another program listens at 0.0.0.0:8443`.
    package func words(at place: String) -> String {
        switch self {
        case .taken: "another program listens at \(place)"
        case .notHere: "this machine can't listen at \(place)"
        case .other(let error): error
        }
    }
}
