import Foundation
import Logging
import Recognition
import Storage
import TestKit

@testable import Appliance

/// The pipeline of the camera `gate` on a database of its own.
final class TestPipeline {
    let store: Store
    let pipeline: FramePipeline
    private let folder: TemporaryFolder

    init(_ configuration: Configuration) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try FreshDatabase.place(at: folder["checkpost.sqlite"].path) { try Store(path: $0).close() }
        store = try Store(path: folder["checkpost.sqlite"].path)
        pipeline = FramePipeline(
            camera: "gate", configuration: configuration, store: store, photos: PhotoStore(folder: folder.url),
            recognizer: try PlateRecognizer(
                models: configuration.reader.models, country: configuration.reader.country),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    deinit { try? store.close() }
}
