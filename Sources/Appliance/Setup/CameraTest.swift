import Capture
import Enforcement
import Foundation
import Recognition

/// Takes one picture from a camera and says what can be read in it.
package struct CameraTest {
    package let camera: CameraConfiguration
    package let recognizer: PlateRecognizer

    package init(camera: CameraConfiguration, recognizer: PlateRecognizer) {
        self.camera = camera
        self.recognizer = recognizer
    }

    /// Glyphs lower than this are read badly: the camera should be nearer, or zoomed in.
    static let goodGlyphHeight = 20

    private static let patience = Duration.seconds(20)

    package struct Report {
        package var frame: Frame
        package var result: PlateRecognizer.Result

        /// The picture's file, for a look at it; nil when none was wanted.
        package var file: String?
    }

    /// - Parameter keepsPicture: writes the picture to a file, for a look at it.
    /// - Throws: `CameraFailure`, `ImageError`, or `AdvisedError` when no picture came in time.
    package func run(keepsPicture: Bool = true) async throws -> Report {
        let frame = try await firstFrame()
        let result = try recognizer.recognize(frame.picture)
        guard keepsPicture else { return Report(frame: frame, result: result, file: nil) }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("checkpost-\(camera.name)-\(frame.recordedAt.milliseconds).jpg")
        // It shows people and plates: readable for whoever runs setup, and nobody else.
        try? FileManager.default.removeItem(at: file)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file.path, contents: frame.picture, attributes: attributes) else {
            throw AdvisedError("The picture can't be written to \(file.path).", hint: "Check the disk.")
        }
        return Report(frame: frame, result: result, file: file.path)
    }

    private func firstFrame() async throws -> Frame {
        let source = camera.makeSource()
        return try await withThrowingTaskGroup(of: Frame?.self) { group in
            group.addTask {
                do {
                    try await source.run { item in
                        if case .frame(let frame) = item { throw Found(frame: frame) }
                    }
                    return nil
                } catch let found as Found {
                    return found.frame
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let frame = try await group.next() ?? nil else {
                throw AdvisedError(
                    "No picture came from \(camera.displayAddress) within \(Self.patience.components.seconds) s.",
                    hint: "Check the address; for a folder, put a picture into it.")
            }
            return frame
        }
    }

    private struct Found: Error {
        let frame: Frame
    }
}

extension CameraTest.Report {
    /// The report for people, with the picture in blocks of gray when the terminal can show them.
    package func text(columns: Int?) -> String {
        var lines = [
            "A picture of \(result.width) x \(result.height) pixels, taken \(frame.recordedAt.nepalText) in Nepal."
        ]
        if let columns, let decoded = try? ImageDecoder.decode(frame.picture, minimumReduction: 4) {
            lines.append(BlockPicture.text(of: decoded.image, columns: columns))
        }
        if let file { lines.append("It is in \(file), until the box is restarted or you remove it.") }
        if result.readings.isEmpty {
            lines.append(
                "No plate was read in it (\(result.regions.count) places looked like one). Let a vehicle stand at the barrier and try again."
            )
        }
        for reading in result.readings {
            let height = Int(reading.glyphHeight ?? 0)
            let advice = height < CameraTest.goodGlyphHeight ? " That is low: move the camera nearer or zoom in." : ""
            lines.append(
                "Plate \(reading.plate.canonical), sure \(Wording.decimal(reading.confidence, 2)), at \(reading.box.x),\(reading.box.y), "
                    + "glyphs about \(height) px high.\(advice)")
        }
        return lines.joined(separator: "\n")
    }
}

/// A picture in half blocks of 24-bit gray, for terminals.
enum BlockPicture {
    static func text(of image: GrayImage, columns: Int) -> String {
        let width = max(20, min(columns, 160))
        let height = max(2, width * image.height / image.width)
        var lines: [String] = []
        for y in stride(from: 0, to: height - 1, by: 2) {
            var line = ""
            for x in 0..<width {
                let upper = pixel(image, x, y, width, height)
                let lower = pixel(image, x, y + 1, width, height)
                line += "\u{1B}[38;2;\(upper);\(upper);\(upper);48;2;\(lower);\(lower);\(lower)m▀"
            }
            lines.append(line + "\u{1B}[0m")
        }
        return lines.joined(separator: "\n")
    }

    private static func pixel(_ image: GrayImage, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> UInt8 {
        image.pixels[y * image.height / height * image.width + x * image.width / width]
    }
}
