import Enforcement
import Foundation
import Storage

/// Makes passages of sightings.
struct PassageRecorder: Sendable {
    let checkpostCode: String

    /// The passage that a sure sighting is.
    ///
    /// - Parameter hasPhoto: whether the frame could be kept; on a full disk the passage is recorded without it.
    func passage(of sighting: Sighting, hasPhoto: Bool) -> Passage {
        let reading = sighting.reading
        return Passage(
            clientID: UUID(), plate: reading.plate, plateRaw: reading.raw,
            vehicleType: .guess(of: reading.plate, format: reading.format),
            checkpostCode: checkpostCode, recordedAt: sighting.bestFrame.recordedAt,
            clockState: sighting.bestFrame.clockState, stampedBy: sighting.bestFrame.stampedBy,
            confidence: reading.confidence, origin: .camera,
            photoSHA256: hasPhoto ? sighting.bestFrame.sha256 : nil, travel: sighting.travel)
    }
}
