import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// The cases of `Tests/Contract/judging.json` at a box, whose own passages and those of the other post come in every order.
@Suite("The pairs that a box finds", .timeLimit(.minutes(15)))
struct PairingTests {
    private let folder: TemporaryFolder
    private let now = Instant(milliseconds: 1_795_700_000_000)

    init() throws { folder = try TemporaryFolder() }

    /// One order of arrival at one box, with a plate and ids of its own.
    private struct Run {
        let store: Store
        let matching: MatchingService
        let example: Contract.Walk
        let post: String
        let number: Int
        let now: Instant

        var plate: Plate { Plate(canonical: "BA 1 PA \(1000 + number)") }

        func id(_ passage: Contract.Passage) throws -> UUID {
            let tail = String(passage.clientID.dropFirst(8))
            return try #require(UUID(uuidString: String(format: "%08x", number) + tail))
        }

        func arrive(_ passage: Contract.Passage) throws {
            let time = try #require(Instant(iso8601: passage.at))
            let clock = try #require(ClockState(rawValue: passage.clock))
            let travel = try passage.travel.map { try #require(Travel(rawValue: $0)) }
            if passage.post == post {
                let own = Passage(
                    clientID: try id(passage), plate: plate, plateRaw: passage.plate, vehicleType: .car,
                    checkpostCode: post, recordedAt: time, clockState: clock, confidence: 0.9, origin: .camera,
                    photoSHA256: nil, travel: travel)
                try store.passages.record(own, at: now)
                try matching.match([own], at: now)
            } else {
                let other = MatchablePassage(
                    clientID: try id(passage), plate: plate, vehicleType: .car, checkpostCode: passage.post,
                    recordedAt: time, clockState: clock, isOfText: passage.isOfText, travel: travel)
                try store.otherPost.upsert([other], at: now)
            }
            try matching.catchUp(at: now)
        }

        func withdraw(_ passage: Contract.Passage) throws {
            if passage.post == post {
                try store.passages.withdraw(clientID: try id(passage), reason: "misread", by: "hari", at: now)
            } else {
                try store.otherPost.withdraw([try id(passage)], at: now)
            }
            try matching.catchUp(at: now)
        }

        var violations: [StoredViolation] {
            get throws { try store.violations.list(limit: 1000).filter { $0.violation.plate == plate } }
        }

        func record() throws {
            for violation in try violations {
                try store.violations.record(
                    Outcome(kind: .warned, recordedBy: "hari", recordedAt: now), ofViolation: violation.id)
            }
        }

        private func number(_ id: UUID) -> Int { Int(id.uuidString.suffix(12)) ?? 0 }

        func check(_ name: String) throws {
            let pairs = try example.passages.filter { $0.post == post }.compactMap {
                try store.matches.match(ofPassage: id($0))?.match
            }
            #expect(
                Set(pairs.map { [number($0.entry.clientID), number($0.exit.clientID)] }) == Set(example.pairs),
                "\(name)")
            let found = try violations.map {
                Contract.Finding(entry: number($0.violation.entryClientID), kind: $0.violation.kind.rawValue)
            }
            #expect(found.count == example.violations.count && Set(found) == Set(example.violations), "\(name)")
        }
    }

    /// A text without proof is the other post's, and a plate with gaps is a ranger's to judge.
    private func canRun(_ example: Contract.Walk, at post: String) -> Bool {
        !example.passages.contains { ($0.text == true && $0.post == post) || $0.plate.contains("?") }
    }

    @Test(arguments: ["J-A", "J-B"])
    func `are those of the server, whatever order the passages come in`(post: String) throws {
        let judging = try Contract.judging()
        for (index, example) in judging.walks.enumerated() where canRun(example, at: post) {
            let numbers = try #require(judging.segments[example.segment])
            let store = try Store(path: folder["\(post)-\(index).sqlite"].path)
            defer { try? store.close() }
            var configuration = Configuration.pilot
            configuration.post = Checkpost(code: post, name: post, positionIndex: 0)
            configuration.segment = Segment(
                name: "contract", distanceKm: numbers.distance_km, maxSpeedKmh: numbers.max_speed_kmh,
                minSpeedKmh: numbers.min_speed_kmh)
            let matching = MatchingService(store: store, configuration: configuration)
            for (number, order) in example.orders.prefix(24).enumerated() {
                let run = Run(
                    store: store, matching: matching, example: example, post: post, number: number, now: now)
                for (place, passage) in order.enumerated() {
                    try run.arrive(passage)
                    if place + 1 == example.keptPassages.count { try run.record() }
                }
                for passage in example.passages where example.withdrawn?.contains(passage.id) == true {
                    try run.withdraw(passage)
                }
                try run.check("\(example.name), at \(post), in the order \(order.map(\.id))")
            }
        }
    }

    @Test(arguments: [true, false])
    func `are judged in the driver's favour where a text left out a part of a second`(isOfText: Bool) throws {
        let store = try Store(path: folder["checkpost.sqlite"].path)
        let matching = MatchingService(store: store, configuration: .pilot)
        let plate = Plate(canonical: "BA 1 PA 1234")
        let own = Passage(
            clientID: UUID(), plate: plate, plateRaw: "", vehicleType: .car,
            checkpostCode: Configuration.pilot.post.code, recordedAt: now + .milliseconds(900),
            clockState: .synchronised, confidence: 0.9, origin: .camera, photoSHA256: nil)
        try store.passages.record(own, at: now)
        // 4049.1 s for 45 km at 40 km/h, which take 4050 s.
        let exit = MatchablePassage(
            clientID: UUID(), plate: plate, vehicleType: .car, checkpostCode: "OTHER",
            recordedAt: now + .seconds(4050), clockState: .synchronised, isOfText: isOfText)
        try store.otherPost.upsert([exit], at: now)
        #expect(try matching.catchUp(at: now).violations.map(\.kind) == (isOfText ? [] : [.speeding]))
        #expect(try store.matches.match(ofPassage: own.clientID)?.match.exit.clientID == exit.clientID)
    }

    @Test func `follow the server where it has matched, and find nothing across its pairs`() throws {
        let store = try Store(path: folder["checkpost.sqlite"].path)
        let matching = MatchingService(store: store, configuration: .pilot)
        func remote(_ minutes: Double) -> MatchablePassage {
            MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), vehicleType: .car, checkpostCode: "OTHER",
                recordedAt: now + .minutes(minutes), clockState: .synchronised)
        }
        let own = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "", vehicleType: .car,
            checkpostCode: Configuration.pilot.post.code, recordedAt: now, clockState: .synchronised, confidence: 0.9,
            origin: .camera, photoSHA256: nil)
        try store.passages.record(own, at: now)
        // The server has matched the first of two exits, with whom is not known here yet.
        let (first, second) = (remote(90), remote(100))
        try store.otherPost.upsert([first, second], matched: [first.clientID], at: now)
        try matching.catchUp(at: now)
        #expect(try store.matches.match(ofPassage: own.clientID) == nil)
    }
}
