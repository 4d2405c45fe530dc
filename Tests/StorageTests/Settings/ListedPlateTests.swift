import Enforcement
import Foundation
import Storage
import Testing

@Suite("The plates that the park's office lists", .timeLimit(.minutes(2)))
struct ListedPlateTests {
    private func listed(
        _ kind: ListedPlate.Kind, _ plate: String, _ reason: String = "Stolen", at minutes: Double = 0
    ) -> ListedPlate {
        ListedPlate(kind: kind, plate: Plate(canonical: plate), reason: reason, listedAt: minute(minutes))
    }

    @Test func `are taken over as a whole, and only a difference is written`() throws {
        let test = try TestStore()
        let store = test.store
        defer { withExtendedLifetime(test) {} }
        let both = [listed(.wanted, "BA 1 CHA 7777"), listed(.exempt, "BA 1 JHA 1", "Ambulance")]
        #expect(try store.listedPlates.replace(both))
        #expect(try !store.listedPlates.replace(both.reversed()), "the same in another order")
        #expect(try store.listedPlates.replace([listed(.exempt, "BA 1 JHA 1", "Ambulance of the hospital")]))
        #expect(try store.listedPlates.list().map(\.reason) == ["Ambulance of the hospital"])
        #expect(try store.wantedPlates.list().isEmpty)
        #expect(try store.listedPlates.replace([]))
        #expect(try store.exemptPlates.list().isEmpty)
    }

    @Test func `stand beside the post's own, whose reason is shown where both list a plate`() throws {
        let test = try TestStore()
        let store = test.store
        defer { withExtendedLifetime(test) {} }
        let plate = Plate(canonical: "BA 1 CHA 7777")
        try store.listedPlates.replace([
            listed(.wanted, "BA 1 CHA 7777"), listed(.wanted, "BA 2 CHA 1", "Poacher"),
            listed(.exempt, "BA 1 CHA 7777", "Police"),
        ])
        try store.wantedPlates.add(plate, reason: "Seen with a rifle", by: "ram", at: minute(1))
        let wanted = try store.wantedPlates.list()
        #expect(wanted.map(\.reason) == ["Seen with a rifle", "Poacher"] && wanted.map(\.addedBy) == ["ram", nil])
        #expect(try store.exemptPlates.list().map(\.isOfPark) == [true], "the lists don't mix")
        #expect(try store.wantedPlates.remove(plate))
        #expect(try store.wantedPlates.list().map(\.reason) == ["Stolen", "Poacher"], "the office's holds on")
        #expect(try !store.wantedPlates.remove(plate), "here only the post's own are removed")
    }

    @Test func `make one sight of a passage, whoever lists its plate`() throws {
        let test = try TestStore()
        try test.store.listedPlates.replace([listed(.wanted, "BA 1 PA 1234", "Poacher", at: 5)])
        try test.store.wantedPlates.add(
            Plate(canonical: "BA 1 PA 1234"), reason: "Rifle", by: "ram", at: minute(5))
        try test.store.passages.record(samplePassage(at: 4), at: minute(4))
        #expect(try test.store.wantedPlates.sights(since: minute(0)).isEmpty, "it passed before it was listed")
        try test.store.passages.record(samplePassage(at: 6), at: minute(6))
        #expect(try test.store.wantedPlates.sights(since: minute(0)).map(\.wanted.reason) == ["Rifle"])
    }
}
