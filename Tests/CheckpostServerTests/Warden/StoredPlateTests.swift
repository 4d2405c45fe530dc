import Testing

@testable import checkpost_server

@Suite("A plate as the warden reads it", .timeLimit(.minutes(1)))
struct StoredPlateTests {
    @Test(arguments: [
        ("GAD2957", "G AD 2957"), ("BAG4106", "B AG 4106"), ("BA1PA1234", "BA 1 PA 1234"),
        ("BA 1 PA 1234", "BA 1 PA 1234"), ("UP32AB1234", "UP 32 AB 1234"), ("?", "?"), ("", ""),
    ])
    func `is spelt as at the posts, whatever the database keeps`(stored: String, shown: String) {
        #expect(StoredPlate.text(stored) == shown)
    }
}
