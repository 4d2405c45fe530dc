import TestKit
import Testing

@testable import Plates

@Suite("Plates that look alike", .timeLimit(.minutes(5)))
struct LookAlikeVariantTests {
    private func plate(_ random: inout SeededGenerator) -> Plate {
        let digits = { (count: Int, random: inout SeededGenerator) in
            (0..<count).map { _ in "0123456789".randomElement(using: &random).map(String.init) ?? "" }.joined()
        }
        let classes = ["KA", "KHA", "GA", "CHA", "JA", "PA", "PHA", "BA", "MA", "YA", "THA", "HA"]
        let zone = ["BA", "ME", "KO", "SA", "JA", "NA", "GA", "LU", "DHA", "RA", "BHE", "KA", "SE", "MA"]
        let letter = classes.randomElement(using: &random) ?? "PA"
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let lot = digits(Int.random(in: 1...2, using: &random), &random)
            return Plate(
                canonical: "\(zone.randomElement(using: &random) ?? "BA") \(lot) \(letter) \(digits(4, &random))")
        case 1:
            return Plate(canonical: "P3 \(digits(2, &random)) \(digits(3, &random)) \(letter) \(digits(4, &random))")
        case 2: return Plate(canonical: "B AC \(digits(4, &random))")
        default: return Plate(canonical: "UP \(digits(2, &random)) AB \(digits(4, &random))")
        }
    }

    @Test(arguments: [Seed.drawn()])
    func `are all found by looking up what a plate may be taken for`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plates = (0..<400).map { _ in plate(&random) }
        for plate in plates {
            let variants = LookAlike.variants(of: plate)
            #expect(variants.count < 150, "\(plate)")
            #expect(!variants.contains(plate.compact), "\(plate)")
            // Whatever is one edit away and looks alike is listed, and what is listed looks alike.
            let characters = Array(plate.compact)
            for index in characters.indices {
                for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" where other != characters[index] {
                    var changed = characters
                    changed[index] = other
                    let text = String(changed)
                    #expect(
                        variants.contains(text) == LookAlike.mayBeSame(plate, Plate(canonical: text)),
                        "seed \(seed): \(plate) and \(text)")
                }
            }
            for other in plates where other != plate {
                #expect(
                    variants.contains(other.compact) == LookAlike.mayBeSame(plate, other),
                    "seed \(seed): \(plate) and \(other)")
            }
        }
    }

    @Test(arguments: [
        ("BA 1 PA 1234", "BA1PHA1234"), ("BA 1 PA 1234", "8A1PA1234"), ("BHE 2 KA 7", "SE2KA7"),
        ("P3 02 013 PA 7173", "P302013YA7173"),
    ])
    func `are named`(plate: String, alike: String) {
        #expect(LookAlike.variants(of: Plate(canonical: plate)).contains(alike))
    }

    @Test func `can't be listed for a plate with gaps`() {
        #expect(LookAlike.variants(of: Plate(canonical: "BA 1 PA 12?4")).isEmpty)
    }
}
