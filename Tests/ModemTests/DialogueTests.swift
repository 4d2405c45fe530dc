import Foundation
import Synchronization
import Testing

@testable import Modem

/// The driver on its own thread, talking to a scripted modem over a pseudo-terminal.
@Suite("A modem driver and a modem of the family", .timeLimit(.minutes(10)))
struct DialogueTests {
    @Test func `huawei-e173: survives the echo, sends, and takes the report of delivery`() async throws {
        try await Bench.run("huawei-e173") { bench in
            #expect(await bench.send("V1|BNP-A|BA1") == .accepted(references: [41]))
            let report = try #require(await bench.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 41 && report.verdict == .delivered)
            #expect(bench.driver.health.operatorName == "Namaste / NTC")
            #expect(bench.driver.health.signalDBm == -79)
            let expected = "0031000D91799718325476F80000A70ED6D8062874425BC10D50188C01"
            #expect(bench.sent("AT+CMGS=28", expected))
        }
    }

    @Test func `sim800: copes with bytes one by one and talk between text and reference`() async throws {
        try await Bench.run("sim800") { bench in
            #expect(await bench.send("hi") == .accepted(references: [7]))
            #expect(bench.driver.health.registration == .roaming)
        }
    }

    @Test func `sim7600-lte-only: takes LTE for a network`() async throws {
        try await Bench.run("sim7600-lte-only") { bench in
            #expect(await bench.send("hi") == .accepted(references: [200]))
            #expect(bench.driver.health.registration == .home)
        }
    }

    @Test func `quectel-ec25-pin: enters the PIN, waits for the SIM, and fetches a stored report`() async throws {
        try await Bench.run("quectel-ec25-pin", pin: "4711") { bench in
            #expect(await bench.send("hi") == .accepted(references: [41]))
            let report = try #require(await bench.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 41)
            #expect(await bench.eventually { bench.sent("AT+CPMS=\"SR\"", "AT+CMGR=2", "AT+CMGD=2") })
            #expect(bench.count("AT+CPIN=\"4711\"") == 1)
            #expect(bench.pinMemory.read(pin: "4711") == .untried)
            #expect(bench.count("AT+CNMI=2,1,0,2,0") == 1)
        }
    }

    @Test func `wavecom-pin-first: needs no OK after +CPIN and turns the echo off after the PIN`() async throws {
        try await Bench.run("wavecom-pin-first", pin: "4711") { bench in
            #expect(await bench.send("hi") == .accepted(references: [3]))
            #expect(bench.sent("ATE0", "AT+CPIN?", "AT+CPIN=\"4711\"", "ATE0", "AT+CMEE=1", "AT+CPIN?"))
        }
    }

    @Test func `zte-mf-no-notifications: switches the radio on and finds the report in the list`() async throws {
        try await Bench.run("zte-mf-no-notifications") { bench in
            #expect(await bench.send("hi") == .accepted(references: [41]))
            let report = try #require(await bench.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 41)
            #expect(await bench.eventually { bench.sent("AT+CFUN=1", "AT+CMGL=4", "AT+CMGL=4", "AT+CMGD=3") })
        }
    }

    @Test func `text-mode-only: sends the text itself, with the service centre put back`() async throws {
        try await Bench.run("text-mode-only") { bench in
            let text = "V1|BNP-A|BA1PA1234|CAR|1795255530|4321"
            #expect(await bench.send(text) == .accepted(references: [12]))
            #expect(
                bench.sent(
                    "AT+CMGF=1", "AT+CSCS=\"IRA\"", "AT+CSMP=49,167,0,0", "AT+CSCA=\"+9779851028801\",145",
                    "AT+CMGS=\"+9779812345678\",145", text))
            let report = try #require(await bench.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 12 && report.verdict == .delivered)
            #expect(await bench.eventually { bench.sent("AT+CMGD=4") })
            #expect(bench.count("AT+CMGR=4") == 0, "a stranger's text is never read in text mode")
        }
    }
}

@Suite("A modem driver and a fault", .timeLimit(.minutes(10)))
struct FaultDialogueTests {
    @Test func `busy-sim: asks again until the SIM is there`() async throws {
        try await Bench.run("busy-sim") { bench in
            #expect(await bench.isReady())
            #expect(bench.count("AT+CPIN?") == 4)
        }
    }

    @Test func `searching-network: alarms, refuses texts, and restarts the radio`() async throws {
        try await Bench.run("searching-network") { bench in
            #expect(await bench.alarm(.notRegistered))
            #expect(bench.driver.health.stage != .ready)
            #expect(await bench.send("hi", whenReady: false) == .refused(.notReady))
            #expect(await bench.eventually { bench.count("AT+CFUN=1,1") > 0 })
        }
    }

    @Test func `no-prompt: leaves the text entry, keeps the text, and sends it the next time`() async throws {
        try await Bench.run("no-prompt") { bench in
            #expect(await bench.send("hi") == .refused(.noAnswer))
            #expect(await bench.send("hi") == .accepted(references: [2]))
            #expect(bench.payloads.count == 1, "nothing was handed over the first time")
        }
    }

    @Test func `silence-after-text: is ambiguous, comes up again, and sends the next text`() async throws {
        try await Bench.run("silence-after-text") { bench in
            #expect(await bench.send("hi") == .ambiguous)
            #expect(await bench.send("hi") == .accepted(references: [6]))
            #expect(bench.count("ATE0") == 2)
        }
    }

    @Test func `late-answer: settles the ambiguous text after all`() async throws {
        try await Bench.run("late-answer") { bench in
            #expect(await bench.send("hi") == .ambiguous)
            let late = await bench.event { event -> SendResult? in
                if case .lateResult(_, let result) = event { result } else { nil }
            }
            #expect(late == .accepted(references: [9]))
        }
    }

    @Test func `vanishing-port: is ambiguous, finds the port again under its link, and sends`() async throws {
        try await Bench.run("vanishing-port") { bench in
            #expect(await bench.send("hi") == .ambiguous)
            #expect(await bench.send("hi") == .accepted(references: [11]))
        }
    }

    @Test func `urc-storm: hears the answers among all the talk`() async throws {
        try await Bench.run("urc-storm") { bench in
            #expect(await bench.send("hi") == .accepted(references: [77]))
        }
    }

    @Test func `garbage: hears the answers on a bad line`() async throws {
        try await Bench.run("garbage") { bench in
            #expect(await bench.send("hi") == .accepted(references: [5]))
        }
    }

    @Test func `wrong-pin: enters it once, also after a restart, until it is changed`() async throws {
        try await Bench.run("wrong-pin", pin: "4711") { bench in
            #expect(await bench.alarm(.pinRejected))
            #expect(await bench.eventually { bench.count("AT+CPIN?") > 5 })
            #expect(bench.count("AT+CPIN=\"4711\"") == 1)
            #expect(bench.pinMemory.read(pin: "4711") == .rejected)
            bench.driver.stop()
            let again = try bench.makeDriver(pin: "4711")
            again.start()
            let before = bench.count("AT+CPIN?")
            #expect(await bench.eventually { bench.count("AT+CPIN?") > before + 3 })
            again.stop()
            #expect(bench.count("AT+CPIN=\"4711\"") == 1)
            #expect(bench.pinMemory.read(pin: "0815") == .untried, "a corrected PIN gets its own chance")
        }
    }

    @Test func `puk: types nothing`() async throws {
        try await Bench.run("puk", pin: "4711") { bench in
            #expect(await bench.alarm(.pukNeeded))
            #expect(await bench.eventually { bench.count("AT+CPIN?") > 3 })
            #expect(!bench.received.contains { $0.hasPrefix("AT+CPIN=") })
        }
    }

    @Test func `no-sim: says so`() async throws {
        try await Bench.run("no-sim") { bench in
            #expect(await bench.alarm(.noSIM))
            #expect(bench.driver.health.sim == .missing)
        }
    }

    @Test func `congestion: refuses for now, then sends`() async throws {
        try await Bench.run("congestion") { bench in
            #expect(await bench.send("hi") == .refused(.network(42)))
            #expect(await bench.send("hi") == .accepted(references: [8]))
        }
    }

    @Test func `barred: refuses, and says why`() async throws {
        try await Bench.run("barred") { bench in
            #expect(await bench.send("hi") == .refused(.network(8)))
            #expect(await bench.send("hi") == .refused(.network(8)))
        }
    }

    @Test func `full-sim: hands over what strangers sent, and deletes it`() async throws {
        try await Bench.run("full-sim") { bench in
            #expect(await bench.eventually { bench.sent("AT+CMGD=1", "AT+CMGD=2", "AT+CMGR=3", "AT+CMGD=3") })
            #expect(bench.driver.health.messageCount == 3)
        }
    }

    @Test func `dead-until-reset: comes back with a restart of the radio`() async throws {
        try await Bench.run("dead-until-reset", timing: .impatient) { bench in
            #expect(await bench.isReady())
            #expect(bench.count("AT+CFUN=1,1") == 1)
        }
    }

    @Test func `dead: ends with an alarm and goes on trying`() async throws {
        try await Bench.run("dead", timing: .impatient) { bench in
            #expect(await bench.alarm(.unresponsive))
            let before = bench.count("AT")
            #expect(await bench.eventually { bench.count("AT") > before })
        }
    }
}
