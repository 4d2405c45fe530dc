import Enforcement
import Foundation
import Pages
import Storage
import TestKit
import Testing

@testable import Console

@Suite("A desk with several hands", .serialized, .timeLimit(.minutes(10)))
struct DeskTests {
    @Test func `show the fine that was saved to the paisa, wherever it stands`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let id = "\(try rig.violation().id)"
            let visitor = try await rig.ranger()
            let form = ["violation_id": id, "kind": "fined", "fine_amount": "500.25", "seen": "0"]
            let saved = try #require(try await visitor.post("/do/outcomes", form).location)
            #expect(try await visitor.get(saved).text.contains("Fined Rs 500.25"))
            #expect(try await visitor.get("/outcome?violation=\(id)").text.contains("value=\"500.25\""))
            #expect(try await visitor.get("/history.csv").text.contains(",fined,500.25\r\n"))
        }
    }

    @Test func `replaces nobody's outcome unseen`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let one = try await rig.ranger()
            let other = try await rig.technician()
            let id = try rig.violation().id.uuidString.lowercased()
            let form = ["violation_id": id, "kind": "fined", "fine_amount": "५००", "notes": "paid", "seen": "0"]
            #expect(try await other.post("/do/outcomes", form).status == 303)
            #expect(try await other.post("/do/outcomes", form).status == 303, "sent twice, it is one")
            var mine = form
            (mine["kind"], mine["notes"], mine["fine_amount"]) = ("let_go", "my long note", "")
            let refused = try await one.post("/do/outcomes", mine)
            #expect(refused.status == 409)
            #expect(refused.text.contains("Somebody was faster: tek recorded") && refused.text.contains("Rs 500"))
            #expect(refused.text.contains("my long note"), "the form is kept")
            let seen = try #require(refused.text.firstMatch(of: /name="seen" value="([^"]+)"/)?.1)
            mine["seen"] = String(seen)
            #expect(try await one.post("/do/outcomes", mine).status == 303)
            let violation = try #require(UUID(uuidString: id))
            #expect(try rig.store.violations.outcomes(ofViolation: violation).map(\.kind) == [.letGo, .fined])
            #expect(try await one.call("/api/outcomes", form).status == 409)
        }
    }

    @Test func `says of a passage which time it had before its time was put right`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let wrong = BootClock(boot: "run", startedAt: Instant(milliseconds: 0))
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: Instant(milliseconds: 300_000), clockState: .untrusted,
                stampedBy: wrong, origin: .camera)
            try rig.store.passages.record(passage, at: rig.clock.now)
            let path = "/passage?id=\(passage.clientID.uuidString.lowercased())"
            #expect(try await !visitor.get(path).text.contains("Recorded as"))
            let right = BootClock(boot: "run", startedAt: rig.clock.now - .minutes(10))
            try rig.store.clock.know(right, by: .service, at: rig.clock.now)
            _ = try rig.store.clock.putRight(at: rig.clock.now)
            let page = try await visitor.get(path).text
            #expect(page.contains("Recorded as") && page.contains("1970") && page.contains("05:50:00"), "\(page)")
        }
    }

    @Test func `takes no sum that is none, and keeps the notes`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.violation().id.uuidString.lowercased()
            for wrong in ["0x10", "1,50", "five", "0"] {
                let answer = try await visitor.post(
                    "/do/outcomes",
                    ["violation_id": id, "kind": "fined", "fine_amount": wrong, "notes": "a note", "seen": "0"])
                #expect(answer.status == 422)
                #expect(answer.text.contains("plain number") && answer.text.contains("a note"), "\(wrong)")
                #expect(answer.text.contains("value=\"\(wrong)\""))
            }
            #expect(
                try await visitor.call("/api/outcomes", ["violation_id": id, "kind": "fined", "fine_amount": true])
                    .status == 422)
        }
    }

    @Test func `shows the outcomes of a passage, and lets them be changed for a day`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation()
            let path = "/passage?id=\(violation.exitClientID.uuidString.lowercased())"
            #expect(try await visitor.get(path).text.contains("RECORD OUTCOME"))
            _ = try await visitor.call(
                "/api/outcomes", ["violation_id": violation.id.uuidString, "kind": "warned", "notes": "first time"])
            let page = try await visitor.get(path).text
            #expect(page.contains("CHANGE OUTCOME") && page.contains("first time") && page.contains("by ram, 12:00"))
            rig.clock.advance(.hours(11))
            _ = try await visitor.get("/")
            rig.clock.advance(.hours(11))
            _ = try await visitor.get("/")
            rig.clock.advance(.hours(3))
            #expect(try await visitor.get(path).text.contains("CHANGE OUTCOME") == false)
        }
    }

    @Test func `goes on to the next vehicle when one is decided already`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.doubtful("BA 2 KHA 77")
            try rig.doubtful("BA 2 KHA 78", number: 2)
            _ = try await visitor.call("/api/reviews/discard", ["id": id])
            let page = try await visitor.get("/review?id=\(id)").text
            #expect(page.contains("BA 2 KHA 78") && page.contains("decided already"))
        }
    }

    @Test func `cuts what is typed into parts, with what the reader thought of`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.doubtful("BA 2 KHA 77")
            let parts = try await visitor.get("/api/plate?text=ba2kha18&review=\(id)").object["parts"]
            let list = try #require(parts as? [[String: Any]])
            #expect(list.compactMap { $0["current"] as? String }.joined() == "BA2KHA18")
        }
    }

    @Test func `takes the time of the button when the picture is old, and says so`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let frame = Frame(
                picture: Data([0xFF, 0xD8, 0xFF, 0xE0]), recordedAt: rig.clock.now, clockState: .synchronised,
                camera: "gate")
            rig.live.show(frame, width: 640, height: 480, plates: [], arrivedAt: rig.clock.now)
            rig.clock.advance(.minutes(2))
            let pressed = rig.clock.now
            let page = try await visitor.get(try #require(try await visitor.post("/do/record", [:]).location))
            #expect(page.text.contains("2 min old when the button was pressed"))
            rig.clock.advance(.minutes(1))
            let id = try #require(try rig.store.sightings.list(in: .review).first?.sighting.id)
            #expect(try await visitor.call("/api/reviews/submit", ["id": id, "plate": "BA 1 PA 4"]).status == 200)
            #expect(try rig.store.passages.list().first?.passage.recordedAt == pressed)
        }
    }

    @Test func `answers HEAD, and says which methods a page has`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let head = try await visitor.send("HEAD", "/")
            #expect(head.status == 200 && head.body.isEmpty)
            let answer = try await visitor.call("/api/passages", [:])
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET")
            #expect(try await visitor.get("/api/reviews/submit").status == 405)
        }
    }
}

@Suite("Connections to the console", .serialized, .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test func `that say nothing are few, and closed soon`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let silent = (0..<ConnectionCount.consoleBounds.most + 60).compactMap { _ in Visitor.open(rig.port) }
            defer { for descriptor in silent { close(descriptor) } }
            #expect(silent.count == ConnectionCount.consoleBounds.most + 60)
            while Visitor.closed(silent) < 60 { try await Task.sleep(for: .milliseconds(50)) }
            #expect(rig.console.connections.current <= ConnectionCount.consoleBounds.most)
            while Visitor.closed(silent) < silent.count { try await Task.sleep(for: .milliseconds(200)) }
            while rig.console.connections.current > 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await rig.visitor().get("/sign-in").status == 200)
        }
    }

    @Test func `of other devices leave room for the post's own screen`() {
        let count = ConnectionCount.ofConsole()
        for number in 0..<ConnectionCount.consoleBounds.mostOfOthers {
            #expect(count.enter("192.168.1.\(number % 100)"))
        }
        #expect(!count.enter("192.168.1.200"))
        #expect(count.enter("127.0.0.1"))
        count.leave("192.168.1.7")
        #expect(count.enter("192.168.1.200"))
        #expect(count.current == ConnectionCount.consoleBounds.mostOfOthers + 1)
    }

    @Test func `of one device leave room for the others`() {
        let count = ConnectionCount.ofConsole()
        for _ in 0..<ConnectionCount.consoleBounds.mostOfOne { #expect(count.enter("192.168.1.7")) }
        #expect(!count.enter("192.168.1.7"))
        #expect(count.enter("192.168.1.8"))
        count.leave("192.168.1.7")
        #expect(count.enter("192.168.1.7"))
        for _ in 0..<ConnectionCount.consoleBounds.mostOfOne * 2 {
            #expect(count.enter("127.0.0.1"), "the box's own are not counted so")
        }
    }
}

extension Visitor {
    /// A connection on which nothing is said.
    static func open(_ port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return connected == 0 ? descriptor : nil
    }

    /// How many of these the other end has closed.
    static func closed(_ descriptors: [Int32]) -> Int {
        var count = 0
        var byte: UInt8 = 0
        for descriptor in descriptors where recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 {
            count += 1
        }
        return count
    }
}
