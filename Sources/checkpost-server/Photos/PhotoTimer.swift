import Hummingbird
import NIOPosix
import ServiceLifecycle

/// Asks the storage of the photos now and then, so that the warden's page and `/health/ready` say how it is now, and not how it was when
/// somebody last wanted a photo.
struct PhotoTimer: Service {
    let gateway: Gateway
    private static let interval = Duration.seconds(20)

    func run() async throws {
        let storage = gateway.photos.storage
        await cancelWhenGracefulShutdown {
            repeat {
                try? await NIOThreadPool.singleton.runIfActive { storage.probe() }
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}

// Whoever runs services logs them; all that is known of this one is its name.
extension PhotoTimer: CustomStringConvertible, CustomReflectable {
    var description: String { "PhotoTimer" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
