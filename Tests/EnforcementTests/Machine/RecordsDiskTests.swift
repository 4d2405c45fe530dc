import Enforcement
import Testing

@Suite("The disk of the records", .timeLimit(.minutes(1)))
struct RecordsDiskTests {
    private let disk = RecordsDisk(folder: "/mnt/ssd/post", mark: "a", mountPoint: "/mnt/ssd")

    private func standing(
        _ mark: RecordsDisk.Found.Mark, hasOwnDisk: Bool, folder: String = "/mnt/ssd/post", isRemembered: Bool = true
    ) -> RecordsDisk.Standing {
        RecordsDisk.standing(
            of: .init(folder: folder, mark: mark, hasOwnDisk: hasOwnDisk), remembered: isRemembered ? disk : nil)
    }

    @Test func `is home where its mark is`() {
        #expect(standing(.text("a"), hasOwnDisk: true) == .home)
        // Copied to the disk of the system.
        #expect(standing(.text("a"), hasOwnDisk: false) == .home)
    }

    @Test func `is away where the folder below it is seen, whatever lies in that`() {
        #expect(standing(.none, hasOwnDisk: false) == .away)
        #expect(standing(.text("b"), hasOwnDisk: false) == .away)
        #expect(standing(.unreadable, hasOwnDisk: false) == .away)
    }

    @Test func `is replaced where another one is`() {
        #expect(standing(.none, hasOwnDisk: true) == .replaced)
        #expect(standing(.text("b"), hasOwnDisk: true) == .replaced)
    }

    @Test func `that gives errors is not taken for another one`() {
        #expect(standing(.unreadable, hasOwnDisk: true) == .home)
    }

    @Test func `is unknown where nothing is remembered, or of another folder`() {
        #expect(standing(.none, hasOwnDisk: true, isRemembered: false) == .unknown)
        #expect(standing(.text("a"), hasOwnDisk: true, folder: "/srv/post") == .unknown)
    }
}
