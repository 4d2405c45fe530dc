import Foundation

extension S3Bucket {
    /// A larger file goes in parts of at least this size: nothing has to be in memory whole, and a part that failed is sent again alone.
    private static let partBytes = 16 << 20
    /// The interface knows 10000.
    private static let mostParts = 9000

    /// Stores a file whole, of any length.
    ///
    /// - Parameter partBytes: for tests.
    func put(file: URL, as name: String, partBytes: Int = S3Bucket.partBytes) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        let length = Int(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        guard length > partBytes else { return try put(try handle.readToEnd() ?? Data(), as: name) }
        let begun = S3Answer(try ask(.post, name, query: [("uploads", "")], body: Data(), expecting: [200]).body)
        guard let upload = begun.first("UploadId") else { throw S3Outage("it begins no upload in parts") }
        do {
            var parts: [String] = []
            let size = max(partBytes, (length + Self.mostParts - 1) / Self.mostParts)
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
            _ = try? ask(.delete, name, query: [("uploadId", upload)], expecting: [204, 200, 404])
            throw error
        }
    }
}
