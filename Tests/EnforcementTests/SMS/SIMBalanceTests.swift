import Testing

@testable import Enforcement

@Suite("What a SIM has left", .timeLimit(.minutes(5)))
struct SIMBalanceTests {
    @Test(
        arguments: [
            ("Your balance is Rs. 35.20, valid till 2027-01-03.", 35.2),
            ("Main Balance:NRs1,204.5 Exp 12/05/2027", 1204.5),
            ("Dear customer, Rs 0.40 remaining.", 0.4),
            ("Balance: 12", 12.0),
            ("तपाईंको मौज्दात रु १२०.५० छ", 120.5),
            ("INR 7 left. Offers for you: *123#", 7.0),
        ] as [(String, Double)])
    func `is read out of an operator's sentence`(text: String, amount: Double) {
        #expect(SIMBalance.amount(in: text) == amount)
    }

    @Test(arguments: [
        "", "Dial *400# for balance", "Your balance is valid till 2027-01-03", "Offers 50 GB for everybody",
        "V1|BNP-A|BA1PA1234|CAR|1795255530|0000", "Balance expired on 03/01/2027", "balance 99999999999999999999",
    ])
    func `is not read out of a text without one`(text: String) {
        #expect(SIMBalance.amount(in: text) == nil)
    }
}
