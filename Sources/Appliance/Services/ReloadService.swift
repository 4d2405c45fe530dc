import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration again on SIGHUP (`systemctl reload checkpost`), for what may change while the appliance runs.
///
/// A file with a mistake changes nothing and is named in the log.
struct ReloadService: Service {
    let read: @Sendable () throws -> Configuration
    let apply: @Sendable (Configuration) -> Void
    let log: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                apply(try read())
                log.notice("the configuration was read again")
            } catch {
                log.error("the configuration was not read again", metadata: ["error": "\(error)"])
            }
        }
    }
}
