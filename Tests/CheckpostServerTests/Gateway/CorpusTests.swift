import Enforcement
import Foundation
import ParkAPI
import TestKit
import Testing

@testable import checkpost_server

@Suite("What the fuzzer began with and found", .timeLimit(.minutes(10)))
struct CorpusTests {
    private static let folder = PostgresCluster.package.appendingPathComponent("Tests/Fuzz/Corpus")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

    @Test func `is there`() {
        #expect(Self.names.count >= 15)
    }

    @Test func `is read by a driver that still compiles with the parsers`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let check = try OtherProgram.runAndWait(
            "/usr/bin/env",
            ["FUZZ_FOLDER=\(folder.path)", PostgresCluster.package.path + "/Tests/Fuzz/run", "--check"],
            limitSeconds: 300)
        #expect(check.status == 0, "\(check.output)")
    }

    /// Each goes through every parser. That the test ends is what it is about; the time shows that none of them is slow.
    @Test(arguments: names)
    func `is read or refused, soon`(name: String) throws {
        let data = try Data(contentsOf: Self.folder.appendingPathComponent(name)).dropFirst()
        let text = String(decoding: data, as: UTF8.self)
        let start = ContinuousClock.now
        _ = try? ReadQuery(QueryString(text))
        _ = try? Filter.parameter(column: "a", text)
        _ = try? Filter.group(isAny: true, text)
        _ = try? SelectList(text)
        _ = try? OrderTerm.list(text)
        _ = try? WriteBody(Data(data), chosen: nil, usesDefaults: false)
        _ = MultipartForm.file(in: Data(data), contentType: "multipart/form-data; boundary=x")
        _ = MultipartForm.file(in: Data("--x".utf8), contentType: text)
        _ = PhotoStore.Kind(Data(data))
        _ = try? TokenSigner(secret: "x").caller(text, atEpochSeconds: 0)
        _ = TwilioSignature(authToken: "x").isValid(text, url: "", fields: [])
        _ = try? SMSDecoder.decode(text)
        _ = try? SignedSMSDecoder.readUnchecked(text)
        _ = PlatePlace(sent: text)?.view
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
