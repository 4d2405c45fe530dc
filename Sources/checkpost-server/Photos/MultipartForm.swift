import Foundation

/// The file in a `multipart/form-data` body (RFC 7578), as the client libraries send it.
package enum MultipartForm {
    package static let partLimit = 10
    package static let headerLimit = 4096

    /// The bytes of the first part that has a file name; nil when there is none or the body isn't such a form.
    package static func file(in body: Data, contentType: String) -> Data? {
        guard let boundary = boundary(contentType) else { return nil }
        let delimiter = Data("--\(boundary)".utf8)
        let gap = Data("\r\n\r\n".utf8)
        var position = body.startIndex
        var parts = 0
        while parts < partLimit, let start = body.range(of: delimiter, in: position..<body.endIndex) {
            guard let end = body.range(of: Data("\r\n".utf8) + delimiter, in: start.upperBound..<body.endIndex),
                let headersEnd = body.range(of: gap, in: start.upperBound..<end.lowerBound)
            else { return nil }
            guard headersEnd.lowerBound - start.upperBound <= headerLimit else { return nil }
            let headers = String(decoding: body[start.upperBound..<headersEnd.lowerBound], as: UTF8.self).lowercased()
            if headers.contains("content-disposition:"), headers.contains("filename=") {
                return body.subdata(in: headersEnd.upperBound..<end.lowerBound)
            }
            position = end.lowerBound + 2
            parts += 1
        }
        return nil
    }

    private static func boundary(_ contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimming(while: \.isWhitespace).lowercased() == "boundary" else { continue }
            let value = pair[1].trimming { $0.isWhitespace || $0 == "\"" }
            return (1...70).contains(value.count) ? value : nil
        }
        return nil
    }
}
