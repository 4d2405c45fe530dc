import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Appliance

@Suite("Passages by signed texts", .serialized, .timeLimit(.minutes(15)))
struct SignedFallbackTests {
    @Test func `go out together in one signed text while there is a key, and each alone when it is gone`()
        async throws
    {
        let rig = try FallbackRig(FallbackRig.accepting)
        #expect(await rig.fallback.report.version == "V1")
        let key = TextKey(number: 1, secret: Secret(String(repeating: "5a", count: 32)), lastTextNumber: 9)
        try rig.store.textKey.keep(key)
        rig.loseLink()
        for plate in ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"] { try rig.record(plate) }
        #expect(try await rig.isReady())
        rig.advance(.seconds(300))
        #expect(try await rig.eventually { try rig.states() == [.sent, .sent, .sent] })
        #expect(rig.payloads.count == 1)
        let text = try #require(try rig.store.messages.list().first).text
        #expect(rig.payloads == [try FallbackRig.pdu(of: text)])
        let told = try SignedSMSDecoder.decode(text, keys: [#require(key)])
        #expect(told.entries.map(\.compactPlate) == ["BA1PA1", "BA1PA2", "BA1PA3"] && told.number == 10)
        let report = await rig.fallback.report
        #expect(report.version == "V2" && report.text.contains("signed texts (V2)"))
        try rig.store.textKey.keep(nil)
        let later = try ["BA 1 PA 4", "BA 1 PA 5"].map { try rig.record($0) }
        rig.advance(.seconds(300))
        #expect(try await rig.eventually { rig.payloads.count == 3 })
        #expect(try Array(rig.payloads.dropFirst()) == FallbackRig.pdus(of: later))
        try await rig.stop()
    }
}
