import Testing

@testable import Enforcement

@Suite("A package that is offered", .timeLimit(.minutes(2)))
struct OfferedUpdateTests {
    private func offer(_ name: String, bytes: Int = 10, sha256: String? = nil, signature: String = "c2ln")
        -> OfferedUpdate?
    {
        OfferedUpdate(
            fileName: name, bytes: bytes, sha256: sha256 ?? String(repeating: "a", count: 64), signature: signature,
            offeredAt: Instant(milliseconds: 0))
    }

    @Test func `says by its name which version it is, for which machine`() throws {
        let name = try #require(PackageName("checkpost_1.3.0+debian12_arm64.deb"))
        #expect(name.version == "1.3.0+debian12" && name.architecture == "arm64")
        #expect(PackageName.system(of: name.version) == "debian12")
        #expect(PackageName.system(of: "1.3.0") == nil && PackageName.system(of: "1.3.0+4.gabc") == nil)
        #expect(PackageName.system(of: "1.3.0+4.gabc+debian13") == "debian13")
    }

    @Test(arguments: [
        "", "checkpost.deb", "checkpost_1.deb", "checkpost_1_amd64.rpm", "checkpost-server_1_amd64.deb",
        "checkpost_a_amd64.deb",
        "checkpost_1_.deb", "checkpost_1_amd64_x.deb", "checkpost_1/../../x_amd64.deb", "checkpost_1 0_amd64.deb",
    ])
    func `is none under another name`(_ name: String) {
        #expect(PackageName(name) == nil && offer(name) == nil)
    }

    @Test func `is none with an odd size, hash or signature`() {
        let name = "checkpost_1_amd64.deb"
        #expect(offer(name) != nil && offer(name, bytes: 2 << 30) != nil)
        for bytes in [-1, 0, (2 << 30) + 1] { #expect(offer(name, bytes: bytes) == nil) }
        for hash in [
            "", String(repeating: "A", count: 64), String(repeating: "g", count: 64), String(repeating: "a", count: 63),
        ] {
            #expect(offer(name, sha256: hash) == nil, "\(hash)")
        }
        #expect(offer(name, signature: "") == nil && offer(name, signature: String(repeating: "s", count: 4097)) == nil)
    }

    @Test(arguments: [
        ("checkpost_2_amd64.deb", "1", true), ("checkpost_2_all.deb", "1", true), ("checkpost_2_arm64.deb", "1", false),
        ("checkpost_2+debian12_amd64.deb", "1+debian12", true), ("checkpost_2+debian13_amd64.deb", "1+debian12", false),
        ("checkpost_2+debian13_amd64.deb", "1", true), ("checkpost_2_amd64.deb", "1+debian12", true),
    ])
    func `fits a machine of its kind alone`(_ name: String, _ installed: String, _ fits: Bool) throws {
        #expect(try #require(PackageName(name)).fits(architecture: "amd64", installed: installed) == fits)
    }

    @Test func `is taken when it is the newest that fits, and newer than what is here`() throws {
        let offers = [
            "checkpost_3+debian12_amd64.deb", "checkpost_4+debian13_amd64.deb", "checkpost_2+debian12_amd64.deb",
        ]
        .compactMap { offer($0) }
        func newest(_ installed: String) -> String? {
            OfferedUpdate.newest(of: offers, architecture: "amd64", installed: installed) { $0 > $1 }?.name.version
        }
        #expect(newest("1+debian12") == "3+debian12" && newest("2+debian12") == "3+debian12")
        #expect(newest("3+debian12") == nil && newest("9+debian12") == nil)
        #expect(newest("1+debian13") == "4+debian13" && newest("1+debian11") == nil)
    }
}
