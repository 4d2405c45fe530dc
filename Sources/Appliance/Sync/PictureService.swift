import ServiceLifecycle
import Synchronizer

/// Runs the fetching of the other post's pictures as a service. It returns soon after a graceful shutdown.
struct PictureService: Service {
    let fetcher: PictureFetcher

    func run() async throws {
        await cancelWhenGracefulShutdown { await fetcher.run() }
    }
}
