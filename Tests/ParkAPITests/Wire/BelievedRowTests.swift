import Enforcement
import Foundation
import Testing

@testable import ParkAPI

/// What a row says is somebody else's word: a server's, or a client's that wrote it there.
@Suite("What is believed of a row", .timeLimit(.minutes(5)))
struct BelievedRowTests {
    private let id = "a0000000-0000-4000-8000-00000000000a"

    @Test func `is the picture that belongs to it, in each form that a picture has, and no other's`() throws {
        let place = PhotoPlace(of: try #require(UUID(uuidString: id)))
        for form in ["jpg", "jpeg", "png"] {
            let name = "passage-photos/\(id).\(form)"
            #expect(place.downloadPath(named: name) == "/storage/v1/object/authenticated/\(name)")
        }
        let other = id.replacingOccurrences(of: "a", with: "b")
        for name in [
            "", "passage-photos/\(id).gif", "passage-photos/\(other).jpg", "\(id).jpg", "secrets/\(id).jpg",
            "passage-photos/../\(id).jpg", "passage-photos/\(id).jpg/..", "passage-photos/\(id.uppercased()).jpg",
        ] {
            #expect(place.downloadPath(named: name) == nil, "\(name)")
        }
    }

    @Test func `is no signature that is missing, has no key, or is none`() {
        let key = String(repeating: "0a", count: 32)
        let bytes = Data(repeating: 7, count: 64)
        for (key, signature) in [(nil, nil), (key, nil), (nil, bytes), (key, bytes), (key, Data())]
            as [(String?, Data?)]
        {
            #expect(!EvidenceParcel.Entry(text: "x", key: key, signature: signature).isSigned)
        }
        var entry = EvidenceParcel.Entry(text: "x", key: key, signature: bytes)
        entry.signature = "no base64"
        #expect(!entry.isSigned)
    }

    @Test func `is no time ahead of ours of when another post's reviews were looked through`() throws {
        let now = Instant(milliseconds: 1_795_309_200_000)
        func asOf(_ text: String) throws -> Instant {
            let row = try JSONDecoder().decode(
                ReviewsRow.self, from: Data("{\"as_of\": \"\(text)\", \"waiting\": []}".utf8))
            return row.reviews(at: now).asOf
        }
        #expect(try asOf("2026-11-22T00:59:59+00") == now - .seconds(1))
        #expect(try asOf("2026-11-22T01:00:01+00") == now)
    }

    @Test func `is no word of another post beyond what it has looked through, nor beyond our time`() throws {
        let now = Instant(milliseconds: 1_795_309_200_000)
        func completeUpTo(_ text: String, asOf: String) throws -> Instant? {
            let row = try JSONDecoder().decode(
                ReviewsRow.self,
                from: Data(
                    "{\"as_of\": \"\(asOf)\", \"waiting\": [], \"complete_up_to\": \"\(text)\"}".utf8))
            return row.reviews(at: now).completeUpTo
        }
        #expect(try completeUpTo("2026-11-22T00:50:00+00", asOf: "2026-11-22T00:59:00+00") == now - .minutes(10))
        #expect(try completeUpTo("2026-11-22T00:59:30+00", asOf: "2026-11-22T00:59:00+00") == now - .minutes(1))
        #expect(try completeUpTo("2026-11-22T01:02:00+00", asOf: "2026-11-22T01:01:00+00") == now)
    }
}
