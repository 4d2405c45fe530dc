import Testing

@testable import Appliance

@Suite("Where the other post may reach this box", .timeLimit(.minutes(2)))
struct PairingAdviceTests {
    @Test(arguments: [
        ("10.0.0.2", true), ("192.168.1.20", true), ("2001:db8::7", true), ("fd00::2", true), ("127.0.0.1", false),
        ("127.0.1.1", false), ("::1", false), ("169.254.3.4", false), ("fe80::1", false), ("FE80::1%eth0", false),
        ("2001:db8::7%eth0", false),
    ])
    func `is no address of this machine or this cable alone`(_ address: String, _ isReachable: Bool) {
        #expect(PeerPairing.isReachable(address) == isReachable)
    }
}
