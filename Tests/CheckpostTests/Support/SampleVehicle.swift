import Foundation
import Testing

/// A vehicle of the sample pictures that is recorded by itself, with all the frames that show it.
struct SampleVehicle {
    let plate: String
    let frames: [Data]

    /// Those with embossed and Indian plates: their text is the one on record.
    static func all() throws -> [SampleVehicle] {
        // post,plate,type,first_frame,last_frame,expected; the folder with a single post doesn't name it.
        try vehicles(of: "drive", prefix: "BNP-A,", in: "drive/BNP-A") + vehicles(of: "mixed", prefix: "", in: "mixed")
    }

    private static func vehicles(of truth: String, prefix: String, in folder: String) throws -> [SampleVehicle] {
        let text = try String(
            contentsOf: Checkout.samples.appendingPathComponent("\(truth)/truth.csv"), encoding: .utf8)
        let pictures = Checkout.samples.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: pictures.path).sorted()
        return try text.split(separator: "\n").dropFirst().filter { $0.hasPrefix(prefix) }.compactMap { line in
            let fields = line.dropFirst(prefix.count).split(separator: ",", omittingEmptySubsequences: false)
            try #require(fields.count >= 4, "\(truth) says \(line)")
            let plate = String(fields[0])
            guard !plate.isEmpty, plate.utf8.count == plate.count else { return nil }
            let frames = names.filter { fields[2] <= $0 && $0 <= fields[3] }
            return SampleVehicle(
                plate: plate, frames: try frames.map { try Data(contentsOf: pictures.appendingPathComponent($0)) })
        }
    }

    /// A picture as nobody has taken it before: the same pixels, and a comment with a number (JPEG, segment COM).
    static func marked(_ picture: Data, _ number: Int) -> Data {
        let comment = Data("number \(number)".utf8)
        let length = UInt16(comment.count + 2)
        return picture.prefix(2) + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + comment
            + picture.dropFirst(2)
    }
}
