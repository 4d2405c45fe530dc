import Foundation

extension S3Bucket {
    /// A larger file goes in parts of at least this size: nothing has to be in memory whole, and a part that failed is sent again alone.
    /// The interface wants 5 MiB at least, of all but the last.
    private static let leastPartBytes = 8 << 20
    /// A part is in memory whole.
    private static let mostPartBytes = 64 << 20
    private static let mostParts = 10_000

    /// How long the parts of a file are: longer ones where there would be too many.
    ///
    /// - Throws: ``Settings/Mistake`` for a file of more than 671 GB.
    static func partSize(of length: Int, least: Int = S3Bucket.leastPartBytes) throws(Settings.Mistake) -> Int {
        let bytes = max(least, (length + mostParts - 1) / mostParts)
        guard bytes <= mostPartBytes else {
            throw Settings.Mistake(
                description: "A file of \(length) bytes is too large for a bucket, which takes "
                    + "\(mostPartBytes * mostParts) at most. Keep backups in a folder.")
        }
        return bytes
    }

    /// Stores a file whole, of any length.
    ///
    /// - Parameter partBytes: for tests.
    func put(file: URL, as name: String, partBytes: Int = S3Bucket.leastPartBytes) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        let length = Int(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        let size = try Self.partSize(of: length, least: partBytes)
        guard length > partBytes else { return try put(try handle.readToEnd() ?? Data(), as: name) }
        let begun = S3Answer(try ask(.post, name, query: [("uploads", "")], body: Data(), expecting: [200]).body)
        guard let upload = begun.first("UploadId") else { throw S3Outage("it begins no upload in parts") }
        do {
            var parts: [String] = []
            while let part = try handle.read(upToCount: size), !part.isEmpty {
                let number = parts.count + 1
                let answer = try ask(
                    .put, name, query: [("partNumber", "\(number)"), ("uploadId", upload)], body: part, expecting: [200]
                )
                guard let tag = answer.head["etag"]?.filter({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
                else { throw S3Outage("it doesn't say what a part is called") }
                parts.append("<Part><PartNumber>\(number)</PartNumber><ETag>\"\(tag)\"</ETag></Part>")
            }
            let list = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
            let answer = S3Answer(
                try ask(.post, name, query: [("uploadId", upload)], body: Data(list.utf8), expecting: [200]).body)
            // What goes wrong late is told under a status that was sent before.
            if let code = answer.first("Code") { throw S3Outage("it puts the parts of \(name) not together: \(code)") }
        } catch {
            // Parts that nobody puts together would be paid for.
            _ = try? ask(
                .delete, name, query: [("uploadId", upload)], expecting: [204, 200, 404], isCleanUp: true)
            throw error
        }
    }
}
