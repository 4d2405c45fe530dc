import Enforcement
import Testing

@Suite("A sum in rupees", .timeLimit(.minutes(5)))
struct RupeeAmountTests {
    @Test(arguments: [
        ("500", 500), ("५००", 500), ("1,500", 1500), ("१,००,०००", 100_000), ("1,500.5", 1500.5), (" 1500.50 ", 1500.5),
        ("0", 0), ("10000000", 10_000_000), ("500.", 500), ("५००.", 500), ("500/-", 500), ("1,500/-", 1500),
    ])
    func `is taken as people write it`(text: String, amount: Double) {
        #expect(RupeeAmount.parse(text) == amount)
    }

    @Test func `has twenty digits and signs at most`() {
        #expect(RupeeAmount.parse(String(repeating: "0", count: 17) + "500") == 500)
        #expect(RupeeAmount.parse(String(repeating: "0", count: 18) + "500") == nil)
    }

    @Test(arguments: [
        "", "0x10", "1,50", "1,5,00", "-5", "1e3", "true", "nan", "inf", "5..", ".", "/-", "5./-", ".5", "1.505",
        "10000001", "12 rupees",
        String(repeating: "9", count: 400),
    ])
    func `is not guessed`(text: String) {
        #expect(RupeeAmount.parse(text) == nil)
    }
}
