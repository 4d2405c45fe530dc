import Foundation
import Testing

@testable import checkpost_server

/// Where somebody else's storage is, if anywhere: `CHECKPOST_STORAGE="http://127.0.0.1:9000 BUCKET REGION ACCESS_KEY SECRET_KEY_FILE"`.
private enum NamedStorage {
    static let words = (ProcessInfo.processInfo.environment["CHECKPOST_STORAGE"] ?? "")
        .split(separator: " ").map(String.init)
}

/// What it leaves there is nothing.
@Suite("A storage that others made", .enabled(if: NamedStorage.words.count == 5), .serialized, .timeLimit(.minutes(5)))
struct RealStorageTests {
    private static let words = NamedStorage.words

    private static func bucket() throws -> S3Bucket {
        var place = S3Place(
            endpoint: words[0], bucket: words[1], accessKey: words[3], secretKeyFile: words[4])
        place.region = words[2]
        place.prefix = "test-\(UUID().uuidString)/"
        return try S3Bucket(place)
    }

    private static func got(_ bucket: S3Bucket, _ name: String) throws -> Data? {
        let file = try FileHandle.withoutName(in: FileManager.default.temporaryDirectory.path)
        return try bucket.get(name, into: file, most: nil) == nil ? nil : try file.readToEnd() ?? Data()
    }

    @Test func `gives back what was stored, lists it in pieces, and puts parts together`() throws {
        let bucket = try Self.bucket()
        let names = ["a b+c&d~é.jpg", "part/1", "part/2", "part/3"]
        defer { for name in names + ["large"] { try? bucket.remove(name) } }
        for (number, name) in names.enumerated() {
            let data = Data((0..<number * 100_000).map { UInt8($0 % 251) })
            #expect(try bucket.size(of: name) == nil && Self.got(bucket, name) == nil)
            try bucket.put(data, as: name)
            #expect(try bucket.size(of: name) == data.count && Self.got(bucket, name) == data)
        }
        #expect(try bucket.names(under: "", after: "", most: 1000) == names)
        #expect(try bucket.names(under: "part/", after: "", most: 2) == ["part/1", "part/2"])
        #expect(try bucket.names(under: "part/", after: "part/2", most: 2) == ["part/3"])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("dump-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        // Five megabytes is the least that a part may have.
        let large = Data((0..<12_000_000).map { UInt8($0 % 251) })
        try large.write(to: file)
        try bucket.put(file: file, as: "large", partBytes: 5 << 20)
        #expect(try Self.got(bucket, "large") == large)
        for name in names + ["large"] {
            try bucket.remove(name)
            try bucket.remove(name)
        }
        #expect(try bucket.names(under: "", after: "", most: 1000) == [] && bucket.trouble == nil)
    }

    @Test func `says what is wrong with a key`() throws {
        var place = try Self.bucket().place
        place.accessKey = "SOMEBODY"
        let outage = #expect(throws: S3Outage.self) { try S3Bucket(place).put(Data([1]), as: "a") }
        #expect(outage?.description.contains("doesn't know access_key") == true, "\(outage.debugDescription)")
        place = try Self.bucket().place
        place.bucket = "nobody-has-this-one"
        let missing = #expect(throws: S3Outage.self) { try S3Bucket(place).put(Data([1]), as: "a") }
        #expect(missing?.description.contains("no bucket nobody-has-this-one") == true, "\(missing.debugDescription)")
    }
}
