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
    private func configuration(_ mask: String) throws -> Configuration {
        var configuration = Configuration.pilot
        configuration.cameras = [
            CameraConfiguration(name: "gate", kind: .folder(path: "/nowhere"), mask: try #require(PictureMask(mask)))
        ]
        return configuration
    }

    @Test(arguments: [
        ("0,0,100,99", nil, false), ("0,0,1,1", nil, true), ("0,0,100,99", "", true),
        ("0,0,1,1", "0,0,100,99", false), ("+0,0,100,100", nil, true), ("0,0,1,1", "+0,99,100,1", false),
    ])
    func `sees no vehicle where it is masked or in no zone; what was drawn stands instead of the file's`(
        mask: String, drawn: String?, isSeen: Bool
    ) async throws {
        let configuration = try configuration(mask)
        let box = try TestPipeline(configuration)
        let now = Instant(milliseconds: 1_795_255_200_000)
        if let drawn {
            try box.store.cameraMasks.set(PictureMask(drawn: drawn), of: "gate", by: "sita", at: now)
            try box.store.cameraMasks.set(PictureMask("0,0,50,50"), of: "other", by: "sita", at: now)
        }
        let picture = try DrivePicture.firstRead(configuration)
        _ = try await box.pipeline.process(
            .frame(
                Frame(
                    picture: picture, recordedAt: Instant(milliseconds: 1_795_255_200_000),
                    clockState: .synchronised, camera: "gate", sourceKey: "0")))
        #expect(await (box.pipeline.tracker?.hasOpenSightings ?? false) == isSeen)
    }

    @Test func `heeds within two seconds what is drawn while it runs, and what is taken back`() throws {
        let configuration = try configuration("0,0,1,1")
        let folder = try TemporaryFolder()
        let store = try Store(path: folder["checkpost.sqlite"].path)
        defer { try? store.close() }
        var mask = MaskInUse(of: "gate", configuration, store: store)
        let start = ContinuousClock.now
        #expect(mask.current(at: start) == PictureMask("0,0,1,1"))
        try store.cameraMasks.set(PictureMask("0,0,9,9"), of: "gate", by: "sita", at: BoxClock.now)
        #expect(mask.current(at: start + .seconds(1)) == PictureMask("0,0,1,1"))
        #expect(mask.current(at: start + .seconds(2)) == PictureMask("0,0,9,9"))
        try store.cameraMasks.set(nil, of: "gate", by: "sita", at: BoxClock.now)
        #expect(mask.current(at: start + .seconds(4)) == PictureMask("0,0,1,1"))
    }
}
