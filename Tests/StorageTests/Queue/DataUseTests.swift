import Enforcement
import Storage
import Testing

@Suite("What went over the link", .timeLimit(.minutes(5)))
struct DataUseTests {
    @Test func `is added up by months, of which two years are kept`() throws {
        let test = try TestStore()
        let start = Instant(milliseconds: 1_795_255_200_000)
        #expect(try test.store.dataUse.use(ofMonth: "2026-11") == DataUse())
        try test.store.dataUse.add(DataUse(sent: 3, received: 4), at: start)
        try test.store.dataUse.add(DataUse(sent: 30, received: 40), at: start + .hours(1))
        #expect(try test.store.dataUse.use(ofMonth: "2026-11") == DataUse(sent: 33, received: 44))
        for month in 1...24 {
            try test.store.dataUse.add(DataUse(sent: 1), at: start + .hours(24 * 30.5 * Double(month)))
        }
        #expect(try test.store.dataUse.use(ofMonth: "2026-11") == DataUse())
        #expect(try test.store.dataUse.use(ofMonth: "2026-12") == DataUse(sent: 1))
    }
}
