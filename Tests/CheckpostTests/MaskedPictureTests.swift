import Capture
import Enforcement
import Foundation
import Logging
import Recognition
import Storage
import Testing

@testable import Appliance

@Suite("A camera with a mask", .timeLimit(.minutes(5)))
struct MaskedPictureTests {
    @Test(arguments: [("0,0,100,100", false), ("0,0,1,1", true)])
    func `sees no vehicle where it is masked`(mask: String, isSeen: Bool) async throws {
        var configuration = Configuration.pilot
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-mask-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        configuration.cameras = [
            CameraConfiguration(
                name: "gate", kind: .folder(path: folder.path), mask: try #require(PictureMask(mask)))
        ]
        let store = try Store(path: folder.appendingPathComponent("checkpost.sqlite").path)
        defer { try? store.close() }
        let pipeline = FramePipeline(
            camera: "gate", configuration: configuration, store: store, photos: PhotoStore(folder: folder),
            recognizer: try PlateRecognizer(
                models: configuration.reader.models, country: configuration.reader.country),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let picture = try DrivePicture.firstRead(configuration)
        _ = try await pipeline.process(
            .frame(
                Frame(
                    picture: picture, recordedAt: Instant(milliseconds: 1_795_255_200_000),
                    clockState: .synchronised, camera: "gate", sourceKey: "0")))
        #expect(await (pipeline.tracker?.hasOpenSightings ?? false) == isSeen)
    }
}
