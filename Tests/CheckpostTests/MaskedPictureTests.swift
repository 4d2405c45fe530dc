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
        configuration.cameras = [
            CameraConfiguration(name: "gate", kind: .folder(path: "/nowhere"), mask: try #require(PictureMask(mask)))
        ]
        let box = try TestPipeline(configuration)
        let picture = try DrivePicture.firstRead(configuration)
        _ = try await box.pipeline.process(
            .frame(
                Frame(
                    picture: picture, recordedAt: Instant(milliseconds: 1_795_255_200_000),
                    clockState: .synchronised, camera: "gate", sourceKey: "0")))
        #expect(await (box.pipeline.tracker?.hasOpenSightings ?? false) == isSeen)
    }
}
