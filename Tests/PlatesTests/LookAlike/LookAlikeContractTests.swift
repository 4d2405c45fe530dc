import TestKit
import Testing

@testable import Plates

@Suite("Look-alikes, by the cases that the server is held to as well", .timeLimit(.minutes(5)))
struct LookAlikeContractTests {
    @Test(arguments: try Contract.lookAlikes())
    func `are judged so, whichever comes first`(pair: Contract.Pair) {
        let (one, other) = (Plate(canonical: pair.one), Plate(canonical: pair.other))
        #expect(LookAlike.mayBeSame(one, other) == pair.may_be_same)
        #expect(LookAlike.mayBeSame(other, one) == pair.may_be_same)
    }
}
