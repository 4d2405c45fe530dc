import Enforcement
import Hummingbird
import Pages
import ServiceLifecycle

/// Tells open pages that something was written, and that the server is there.
///
/// It asks for one number while a page is open, and for nothing while none is.
struct LiveTimer: Service {
    let gateway: Gateway

    private static let interval = Duration.seconds(2)
    /// A stream on which nothing is said for longer would be taken for one that is gone.
    private static let turnsOfSilence = 10

    func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown {
                var watch = NumberWatch()
                var turn = 0
                while (try? await Task.sleep(for: Self.interval)) != nil {
                    guard gateway.hub.readerCount > 0 else {
                        watch = NumberWatch()
                        continue
                    }
                    turn += 1
                    let number = try? await gateway.readPool.run { try $0.run("select checkpost.last_number()").scalar }
                    if let number, watch.isNews(number) {
                        gateway.hub.send("change")
                    } else if turn % Self.turnsOfSilence == 0 {
                        gateway.hub.send("alive")
                    }
                }
            }
        } onGracefulShutdown: {
            gateway.hub.finish()
        }
    }
}

/// Whether a number that is given out before its row is committed says something new: when it moved, and once more afterwards.
struct NumberWatch: Sendable, Equatable {
    private var last: String?
    private var isRecent = false

    mutating func isNews(_ number: String) -> Bool {
        // The page was just made when its stream began.
        let hasMoved = last != nil && last != number
        defer {
            last = number
            isRecent = hasMoved
        }
        return hasMoved || isRecent
    }
}

extension LiveTimer: CustomStringConvertible, CustomReflectable {
    var description: String { "LiveTimer" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
