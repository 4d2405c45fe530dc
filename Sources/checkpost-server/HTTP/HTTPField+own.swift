import Enforcement
import HTTPTypes
import ParkAPI

/// Fields that are this server's own, beside those of the interface that it serves.
extension HTTPField.Name {
    /// By which an answer is found in the log.
    package static let requestID = HTTPField.Name("x-request-id")!
    /// What nginx collects, or doesn't.
    package static let accelBuffering = HTTPField.Name("x-accel-buffering")!
    package static let photoOriginal = HTTPField.Name(PhotoPlace.originalField)!
    package static let photoPlate = HTTPField.Name(PlatePlace.field)!
    package static let textTime = HTTPField.Name(SignedText.timeField)!
    package static let textSignature = HTTPField.Name(SignedText.signatureField)!
}
