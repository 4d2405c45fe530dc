import Foundation
import Testing

@testable import Enforcement

@Suite("A passage", .timeLimit(.minutes(5)))
struct PassageAgainTests {
    private func passage(
        _ plate: String = "BA 1 PA 1234", raw: String = "BA1PA1234", post: String = "BNP-A", at milliseconds: Int64 = 0
    ) -> Passage {
        Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: raw, vehicleType: .car, checkpostCode: post,
            recordedAt: Instant(milliseconds: 1_795_255_200_000 + milliseconds), clockState: .synchronised,
            origin: .camera)
    }

    @Test func `is the same once more within seconds at the same post, and by its text alone within one`() {
        #expect(passage().isAgain(passage()))
        #expect(passage().isAgain(passage(at: 1000)))
        #expect(passage(at: 1000).isAgain(passage()))
        #expect(passage().isAgain(passage(at: 5000)) && !passage().isAgain(passage(at: 5001)))
        #expect(passage("BA 1 PA 12?4").isAgain(passage("BA 1 PA 12?4", at: 1000)))
        #expect(!passage("BA 1 PA 12?4").isAgain(passage("BA 1 PA 12?4", at: 1001)))
        #expect(
            passage("BA 1 PA 1284").isAgain(passage(at: 1000)) && !passage("BA 1 PA 1284").isAgain(passage(at: 1001)))
        #expect(!passage().isAgain(passage(post: "BNP-B")))
        #expect(!passage().isAgain(passage("BA 1 PA 9", raw: "BA1PA9")))
    }

    @Test func `is known by the text read of it when its plate was corrected`() {
        #expect(passage("BA 1 PA 1284").isAgain(passage("BA 1 PA 1234")))
        #expect(!passage("BA 1 PA 1284", raw: "").isAgain(passage("BA 1 PA 1234", raw: "")))
        #expect(!passage("BA 1 PA 1284", raw: "1 P").isAgain(passage("BA 1 PA 1234", raw: "1 P")))
        #expect(passage("BA 1 PA 1284", raw: "1 PA").isAgain(passage("BA 1 PA 1234", raw: "1 PA")))
    }
}
