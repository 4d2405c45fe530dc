import Appliance
import Foundation
import Recognition
import TestKit
import Testing

enum DrivePicture {
    /// The first picture of the drawn drive in which a plate is read.
    static func firstRead(_ configuration: Configuration) throws -> Data {
        let reader = try PlateRecognizer(
            models: configuration.reader.models, country: configuration.reader.country)
        let folder = Checkout.samples.appendingPathComponent("drive/BNP-A")
        let pictures = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jpg" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
        for picture in pictures {
            let data = try Data(contentsOf: picture)
            if try !reader.recognize(data).readings.isEmpty { return data }
        }
        return try #require(nil, "no picture of the drive is read")
    }
}
