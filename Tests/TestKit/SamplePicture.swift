import Foundation

/// Pictures that belong to the project.
package enum SamplePicture {
    /// A frame of the sample day: a JPEG of 960 by 540 pixels.
    package static func drive() throws -> Data {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try Data(
            contentsOf: checkout.appending(path: "deploy/samples/drive/BNP-A/20261121T061436.349Z.jpg"))
    }
}
