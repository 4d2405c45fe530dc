import Enforcement
import Foundation
import Logging
import Recognition
import Storage
import Synchronizer

/// What the synchronization needs of the rest of the appliance: the matcher, and photos small enough to be sent.
final class SyncNeighbours: SyncSurroundings {
    private let matching: MatchingService
    private let store: Store
    private let photos: PhotoStore
    private let log: Logger
    let cameras: [String]

    init(_ configuration: Configuration, store: Store, log: Logger) {
        matching = MatchingService(store: store, configuration: configuration)
        self.store = store
        photos = PhotoStore(folder: URL(fileURLWithPath: configuration.dataFolder))
        self.log = log
        cameras = configuration.cameras.map(\.name)
    }

    func passagesArrived(at now: Instant) throws {
        // Synchronization doesn't wait for more than this: the rounds do the rest.
        let findings = try matching.catchUp(at: now, steps: 5)
        for violation in findings.violations {
            log.notice(
                "violation", metadata: ["plate": "\(violation.plate)", "kind": "\(violation.kind.rawValue)"])
        }
        for alert in findings.alerts {
            log.notice("overstay", metadata: ["plate": "\(alert.plate)", "since": "\(alert.entryTime.iso8601)"])
        }
    }

    /// A picture that fits is sent as the camera gave it: its hash is on record.
    func photo(_ record: PhotoRecord, maximumBytes: Int) throws -> PreparedPhoto {
        let picture = try photos.read(record)
        if picture.count <= maximumBytes, ["image/jpeg", "image/png"].contains(record.mediaType) {
            return PreparedPhoto(bytes: picture, mediaType: record.mediaType)
        }
        return PreparedPhoto(
            bytes: try PhotoEncoder.jpeg(of: picture, maximumBytes: maximumBytes), mediaType: "image/jpeg")
    }

    /// Of a photo that was made smaller to save room nobody knows: the plate was read in the larger one.
    func platePlace(of upload: PhotoUpload) -> PlatePlace? {
        guard upload.photo.keptSHA256 == nil else { return nil }
        do {
            guard
                let plate = try store.sightings.plateBox(
                    ofPassage: upload.passageClientID, photo: upload.photo.sha256)
            else { return nil }
            let size = try ImageDecoder.size(of: photos.read(upload.photo))
            return PlatePlace(plate, width: size.width, height: size.height)
        } catch {
            // The photo is sent all the same; that one is gone, the upload itself says.
            log.debug("where a plate stands can't be read", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
