import Capture
import Console
import Enforcement
import Foundation
import Recognition
import Storage

/// Gives the console what it needs of the rest of the appliance.
struct ApplianceHost: ConsoleHost {
    private let configuration: Configuration
    private let matching: MatchingService
    private let board: StatusBoard
    private let reader: PictureReader

    init(configuration: Configuration, store: Store, board: StatusBoard) {
        self.configuration = configuration
        self.board = board
        matching = MatchingService(store: store, configuration: configuration)
        reader = PictureReader(models: configuration.reader.models, country: configuration.reader.country)
    }

    func read(_ picture: Data) async throws -> ConsoleReading { try await reader.read(picture) }

    func size(of picture: Data) -> (width: Int, height: Int)? {
        (try? ImageDecoder.size(of: picture)).map { ($0.width, $0.height) }
    }

    /// A match that fails now is tried again with the next round.
    func match(_ passages: [Passage]) {
        _ = try? matching.match(passages, at: BoxClock.now)
    }

    var clockState: ClockState {
        if configuration.isClockSimulated { return .simulated }
        return CaptureClock.kernelClockIsSynchronised() ? .synchronised : .untrusted
    }

    func status() async -> ConsoleStatus {
        var status = ConsoleStatus()
        status.cameras = await board.cameras.map {
            .init(name: $0.name, phase: $0.phase, failure: $0.failure, lastFrameAt: $0.lastFrameAt)
        }
        status.link = configuration.server == nil ? .none : .offline
        status.clockState = clockState
        status.freeBytes = DiskSpace.freeBytes(at: configuration.dataFolder)
        status.version = Version.text
        return status
    }

    func logLines() async -> [String] { LogMemory.shared.lines }
}

/// Reads single pictures for people. Its models are loaded when the first one comes, and it reads one at a time.
private actor PictureReader {
    private let models: String?
    private let country: String?
    private var recognizer: PlateRecognizer?

    init(models: String?, country: String?) {
        self.models = models
        self.country = country
    }

    func read(_ picture: Data) throws -> ConsoleReading {
        let recognizer = try self.recognizer ?? PlateRecognizer(models: models, country: country)
        self.recognizer = recognizer
        let result = try recognizer.recognize(picture)
        return ConsoleReading(
            width: result.width, height: result.height, readings: result.readings,
            milliseconds: result.times.totalMs)
    }
}
