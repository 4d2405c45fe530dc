import Enforcement
import Foundation
import HTTPClient
import Testing

@testable import checkpost_server

@Suite("A bucket of S3-compatible storage", .serialized, .timeLimit(.minutes(5)))
struct S3BucketTests {
    private static func file() throws -> FileHandle {
        try FileHandle.withoutName(in: FileManager.default.temporaryDirectory.path)
    }

    private static func got(_ bucket: S3Bucket, _ name: String, most: Int? = 1 << 20) throws -> Data? {
        let file = try file()
        guard let bytes = try bucket.get(name, into: file, most: most) else { return nil }
        let data = try file.readToEnd() ?? Data()
        #expect(data.count == bytes)
        return data
    }

    @Test func `gives back what was stored, until it is removed`() throws {
        let peer = try StoragePeer()
        let bucket = try peer.bucket()
        let name = "ab/c d+é~.jpg"
        #expect(try bucket.size(of: name) == nil && Self.got(bucket, name) == nil)
        for data in [Data("one".utf8), Data(), Data((0..<300_000).map { UInt8($0 % 251) })] {
            try bucket.put(data, as: name)
            #expect(try peer.object("ab/c%20d%2B%C3%A9~.jpg") == data)
            #expect(try bucket.size(of: name) == data.count && Self.got(bucket, name) == data)
        }
        try bucket.remove(name)
        try bucket.remove(name)
        #expect(try bucket.size(of: name) == nil && Self.got(bucket, name) == nil && bucket.trouble == nil)
    }

    @Test func `lists its names in pieces, and none beside its prefix`() throws {
        let peer = try StoragePeer()
        let bucket = try peer.bucket()
        let other = try peer.bucket { $0.prefix = "other/" }
        try other.put(Data([1]), as: "x")
        for number in 0..<7 { try bucket.put(Data([1]), as: "part/n&\(number)") }
        try bucket.put(Data([1]), as: "z")
        var found: [[String]] = []
        repeat {
            found.append(try bucket.names(under: "part/", after: found.last?.last ?? "", most: 3))
        } while found.last?.isEmpty == false
        #expect(
            found == [["part/n&0", "part/n&1", "part/n&2"], ["part/n&3", "part/n&4", "part/n&5"], ["part/n&6"], []])
        #expect(try other.names(under: "", after: "", most: 10) == ["x"])
    }

    @Test(arguments: ["503", "500", "429", "drop", "half"]) func `is asked again after what may pass`(kind: String)
        throws
    {
        let peer = try StoragePeer()
        let bucket = try peer.bucket()
        let data = Data((0..<100_000).map { UInt8($0 % 251) })
        try bucket.put(data, as: "a")
        try peer.fails(kind, count: 2)
        #expect(try Self.got(bucket, "a") == data)
        _ = try peer.asked()
        try peer.fails(kind)
        #expect(throws: S3Outage.self) { try Self.got(bucket, "a") }
        // libcurl by itself asks once more over a new connection when a kept one was closed.
        #expect(try (3...4).contains(peer.asked().count))
    }

    @Test func `is not waited for by many one after the other, and is tried again`() throws {
        let peer = try StoragePeer()
        // Long enough for a slow machine to ask once more within it.
        let bucket = try peer.bucket(rest: .seconds(5))
        try bucket.put(Data([1]), as: "a")
        try peer.fails("hang")
        let begun = ContinuousClock.now
        #expect(throws: S3Outage.self) { try bucket.size(of: "a") }
        #expect(ContinuousClock.now - begun < .seconds(15))
        _ = try peer.asked()
        #expect(bucket.trouble != nil)
        // Refused at once: nobody asks the storage.
        #expect(throws: S3Outage.self) { try bucket.size(of: "a") }
        #expect(try peer.asked().count == 0)
        try peer.works()
        var size: Int?
        for _ in 0..<3000 where size == nil {
            size = try? bucket.size(of: "a")
            // Until its rest is over.
            if size == nil { Thread.sleep(forTimeInterval: 0.01) }
        }
        #expect(size == 1 && bucket.trouble == nil)
    }

    @Test(arguments: ["403", "404", "507"]) func `is asked for other objects after it refused one`(status: String)
        throws
    {
        let peer = try StoragePeer()
        let bucket = try peer.bucket(rest: .seconds(60))
        try bucket.put(Data([1]), as: "a")
        try peer.fails(status, count: 1)
        #expect(throws: S3Outage.self) { try bucket.put(Data([2]), as: "b") }
        #expect(try bucket.size(of: "a") == 1 && bucket.trouble == nil)
        // A list that is refused is told, and keeps nobody off.
        try peer.fails(status, count: 1)
        bucket.probe()
        #expect(bucket.trouble != nil)
        #expect(try bucket.size(of: "a") == 1 && bucket.trouble == nil)
    }

    @Test(arguments: ["empty", "again"]) func `believes no list that would end too early, or never`(kind: String)
        throws
    {
        let peer = try StoragePeer()
        let bucket = try peer.bucket()
        for name in ["a", "b", "c"] { try bucket.put(Data([1]), as: name) }
        try peer.fails(kind, count: 1)
        #expect(throws: S3Outage.self) { try bucket.names(under: "", after: "b", most: 1) }
        #expect(try bucket.names(under: "", after: "b", most: 1) == ["c"])
    }

    @Test func `is given time for what is sent, and for putting parts together`() {
        let patience = S3Bucket.Patience()
        let plain = patience.limits(body: 0, most: 1000, isJoining: false)
        #expect(plain.total?.seconds == 30 && plain.silence.seconds == 10 && plain.answerBytes == 1000)
        let part = patience.limits(body: 5_000_000, most: 1000, isJoining: false)
        #expect(part.total?.seconds == 130 && part.silence.seconds == 70)
        let joining = patience.limits(body: 1000, most: 1000, isJoining: true)
        #expect(joining.total?.seconds == 600 && joining.silence.seconds == 600)
        #expect(patience.limits(body: 0, most: nil, isJoining: false).total == nil)
    }

    @Test func `takes a file in at most 10000 parts, none too small and none too large`() throws {
        for (length, part) in [(1, 8 << 20), (10_000 * (8 << 20), 8 << 20), (10_000 * (9 << 20), 9 << 20)] {
            #expect(try S3Bucket.partSize(of: length) == part)
        }
        let most = 10_000 * (64 << 20)
        #expect(try S3Bucket.partSize(of: most) == 64 << 20)
        #expect(throws: Settings.Mistake.self) { try S3Bucket.partSize(of: most + 1) }
    }

    @Test func `says what is wrong with the key, the region or the bucket, and never the key`() throws {
        let peer = try StoragePeer()
        let wrong = FileManager.default.temporaryDirectory.appendingPathComponent("wrong-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: wrong) }
        try "another-secret".write(to: wrong, atomically: true, encoding: .utf8)
        chmod(wrong.path, 0o600)
        let cases: [(String, (inout S3Place) -> Void)] = [
            ("no bucket elsewhere", { $0.bucket = "elsewhere" }),
            ("doesn't know access_key", { $0.accessKey = "SOMEBODY" }),
            ("the secret key or the region", { $0.secretKeyFile = wrong.path }),
            ("the secret key or the region", { $0.region = "us-east-1" }),
        ]
        for (words, change) in cases {
            let bucket = try peer.bucket(change)
            _ = try peer.asked()
            let outage = try #require(throws: S3Outage.self) { try bucket.put(Data([1]), as: "a") }
            #expect(outage.description.contains(words), "\(outage)")
            #expect(!outage.description.contains("another-secret") && !outage.description.contains(StoragePeer.secret))
            // What doesn't pass is asked once.
            #expect(try peer.asked().count == 1)
        }
    }

    @Test func `writes no more of an object than may come`() throws {
        let peer = try StoragePeer()
        let bucket = try peer.bucket()
        try bucket.put(Data(count: 5000), as: "a")
        #expect(throws: S3Outage.self) { try Self.got(bucket, "a", most: 4999) }
    }

    @Test func `is refused with a place that can't work, or a key that everybody may read`() throws {
        let peer = try StoragePeer()
        #expect(peer.place.complaint("photo_bucket") == nil)
        let changes: [(String, (inout S3Place) -> Void)] = [
            ("endpoint", { $0.endpoint = "s3.example.org" }),
            ("endpoint", { $0.endpoint = "https://u:p@s3.example.org" }),
            ("endpoint", { $0.endpoint = "https://s3.example.org/bucket" }), ("name", { $0.bucket = "Park" }),
            ("name", { $0.bucket = "../x" }), ("region", { $0.region = "" }), ("prefix", { $0.prefix = "a" }),
            ("prefix", { $0.prefix = "../" }), ("prefix", { $0.prefix = "/a/" }), ("access_key", { $0.accessKey = "" }),
            ("secret_key_file", { $0.secretKeyFile = "key" }),
        ]
        for (key, change) in changes {
            var place = peer.place
            change(&place)
            #expect(place.complaint("photo_bucket")?.contains("photo_bucket.\(key)") == true, "\(place)")
        }
        chmod(peer.place.secretKeyFile, 0o644)
        #expect(throws: Settings.Mistake.self) { try peer.place.secretKey() }
        chmod(peer.place.secretKeyFile, 0o600)
        #expect(try peer.place.secretKey().revealed == StoragePeer.secret)
        try "two\nlines".write(toFile: peer.place.secretKeyFile, atomically: false, encoding: .utf8)
        #expect(throws: Settings.Mistake.self) { try peer.place.secretKey() }
        unlink(peer.place.secretKeyFile)
        #expect(throws: Settings.Mistake.self) { try peer.place.secretKey() }
    }

    @Test(arguments: [
        ("https://s3.example.org", "s3.example.org"), ("https://s3.example.org:443/", "s3.example.org"),
        ("http://127.0.0.1:9000", "127.0.0.1:9000"), ("http://[::1]:9000", "[::1]:9000"), ("ftp://s3", nil),
    ])
    func `is asked by the name that is signed`(endpoint: String, host: String?) {
        var place = S3Place(endpoint: endpoint, bucket: "park", accessKey: "a", secretKeyFile: "/x")
        place.prefix = ""
        #expect(place.host == host)
    }
}
