import Foundation
import Synchronization
import Testing

@testable import Modem

/// The driver on its own thread, talking to a scripted modem over a pseudo-terminal.
@Suite("A modem driver and a modem of the family", .timeLimit(.minutes(10)))
struct DialogueTests {
    @Test func `huawei-e173: survives the echo, sends, and takes the report of delivery`() async throws {
        try await Rig.run("huawei-e173") { rig in
            #expect(await rig.send("V1|BNP-A|BA1") == .accepted(references: [41]))
            let report = try #require(await rig.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 41 && report.verdict == .delivered)
            #expect(rig.driver.health.operatorName == "Namaste / NTC")
            #expect(rig.driver.health.signalDBm == -79)
            let expected = "0031000D91799718325476F80000A70ED6D8062874425BC10D50188C01"
            #expect(rig.sent("AT+CMGS=28", expected))
        }
    }

    @Test func `sim800: copes with bytes one by one and talk between text and reference`() async throws {
        try await Rig.run("sim800") { rig in
            #expect(await rig.send("hi") == .accepted(references: [7]))
            #expect(rig.driver.health.registration == .roaming)
        }
    }

    @Test func `sim7600-lte-only: takes LTE for a network`() async throws {
        try await Rig.run("sim7600-lte-only") { rig in
            #expect(await rig.send("hi") == .accepted(references: [200]))
            #expect(rig.driver.health.registration == .home)
        }
    }

    @Test func `quectel-ec25-pin: enters the PIN, waits for the SIM, and fetches a stored report`() async throws {
        try await Rig.run("quectel-ec25-pin", pin: "4711") { rig in
            #expect(await rig.send("hi") == .accepted(references: [41]))
            let report = try #require(await rig.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 41)
            #expect(await rig.eventually { rig.sent("AT+CPMS=\"SR\"", "AT+CMGR=2", "AT+CMGD=2") })
            #expect(rig.count("AT+CPIN=\"4711\"") == 1)
            #expect(rig.pinMemory.read(pin: "4711") == .untried)
            #expect(rig.count("AT+CNMI=2,1,0,2,0") == 1)
        }
    }

    @Test func `wavecom-pin-first: needs no OK after +CPIN and turns the echo off after the PIN`() async throws {
        try await Rig.run("wavecom-pin-first", pin: "4711") { rig in
            #expect(await rig.send("hi") == .accepted(references: [3]))
            #expect(rig.sent("ATE0", "AT+CPIN?", "AT+CPIN=\"4711\"", "ATE0", "AT+CMEE=1", "AT+CPIN?"))
        }
    }

    @Test func `zte-mf-no-notifications: switches the radio on and finds the report in the list`() async throws {
        try await Rig.run("zte-mf-no-notifications") { rig in
            #expect(await rig.send("hi") == .accepted(references: [41]))
            let report = try #require(await rig.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 41)
            #expect(await rig.eventually { rig.sent("AT+CFUN=1", "AT+CMGL=4", "AT+CMGL=4", "AT+CMGD=3") })
        }
    }

    @Test func `text-mode-only: sends the text itself, with the service centre put back`() async throws {
        try await Rig.run("text-mode-only") { rig in
            let text = "V1|BNP-A|BA1PA1234|CAR|1795255530|4321"
            #expect(await rig.send(text) == .accepted(references: [12]))
            #expect(
                rig.sent(
                    "AT+CMGF=1", "AT+CSCS=\"IRA\"", "AT+CSMP=49,167,0,0", "AT+CSCA=\"+9779851028801\",145",
                    "AT+CMGS=\"+9779812345678\",145", text))
            let report = try #require(await rig.event { if case .report(let report) = $0 { report } else { nil } })
            #expect(report.reference == 12 && report.verdict == .delivered)
            #expect(await rig.eventually { rig.sent("AT+CMGD=4") })
            #expect(rig.count("AT+CMGR=4") == 0, "a stranger's text is never read in text mode")
        }
    }
}

@Suite("A modem driver and a fault", .timeLimit(.minutes(10)))
struct FaultDialogueTests {
    @Test func `busy-sim: asks again until the SIM is there`() async throws {
        try await Rig.run("busy-sim") { rig in
            #expect(await rig.isReady())
            #expect(rig.count("AT+CPIN?") == 4)
        }
    }

    @Test func `searching-network: alarms, refuses texts, and restarts the radio`() async throws {
        try await Rig.run("searching-network") { rig in
            #expect(await rig.alarm(.notRegistered))
            #expect(rig.driver.health.stage != .ready)
            #expect(await rig.send("hi", whenReady: false) == .refused(.notReady))
            #expect(await rig.eventually { rig.count("AT+CFUN=1,1") > 0 })
        }
    }

    @Test func `no-prompt: leaves the text entry, keeps the text, and sends it the next time`() async throws {
        try await Rig.run("no-prompt") { rig in
            #expect(await rig.send("hi") == .refused(.noAnswer))
            #expect(await rig.send("hi") == .accepted(references: [2]))
            #expect(rig.payloads.count == 1, "nothing was handed over the first time")
        }
    }

    @Test func `silence-after-text: is ambiguous, comes up again, and sends the next text`() async throws {
        try await Rig.run("silence-after-text") { rig in
            #expect(await rig.send("hi") == .ambiguous)
            #expect(await rig.send("hi") == .accepted(references: [6]))
            #expect(rig.count("ATE0") == 2)
        }
    }

    @Test func `late-answer: settles the ambiguous text after all`() async throws {
        try await Rig.run("late-answer") { rig in
            #expect(await rig.send("hi") == .ambiguous)
            let late = await rig.event { event -> SendResult? in
                if case .lateResult(_, let result) = event { result } else { nil }
            }
            #expect(late == .accepted(references: [9]))
        }
    }

    @Test func `vanishing-port: is ambiguous, finds the port again under its link, and sends`() async throws {
        try await Rig.run("vanishing-port") { rig in
            #expect(await rig.send("hi") == .ambiguous)
            #expect(await rig.send("hi") == .accepted(references: [11]))
        }
    }

    @Test func `vanishing-port: closes the one that is gone, and asks nothing more of it`() async throws {
        try await Rig.run("vanishing-port") { rig in
            #expect(await rig.send("hi") == .ambiguous)
            #expect(await rig.isReady())
            #expect(rig.locks == 1)
            let gone = SerialPortError.hungUp.description
            #expect(rig.troubles.count { $0 == gone } == 1)
            #expect(Set(rig.troubles).subtracting([gone, SerialPortError.missing(path: rig.path).description]) == [])
        }
    }

    @Test func `urc-storm: hears the answers among all the talk`() async throws {
        try await Rig.run("urc-storm") { rig in
            #expect(await rig.send("hi") == .accepted(references: [77]))
        }
    }

    @Test func `garbage: hears the answers on a bad line`() async throws {
        try await Rig.run("garbage") { rig in
            #expect(await rig.send("hi") == .accepted(references: [5]))
        }
    }

    @Test func `wrong-pin: enters it once, also after a restart, until it is changed`() async throws {
        try await Rig.run("wrong-pin", pin: "4711") { rig in
            #expect(await rig.alarm(.pinRejected))
            #expect(await rig.eventually { rig.count("AT+CPIN?") > 5 })
            #expect(rig.count("AT+CPIN=\"4711\"") == 1)
            #expect(rig.pinMemory.read(pin: "4711") == .rejected)
            rig.driver.stop()
            let again = try rig.makeDriver(pin: "4711")
            again.start()
            let before = rig.count("AT+CPIN?")
            #expect(await rig.eventually { rig.count("AT+CPIN?") > before + 3 })
            again.stop()
            #expect(rig.count("AT+CPIN=\"4711\"") == 1)
            #expect(rig.pinMemory.read(pin: "0815") == .untried, "a corrected PIN gets its own chance")
        }
    }

    @Test func `puk: types nothing`() async throws {
        try await Rig.run("puk", pin: "4711") { rig in
            #expect(await rig.alarm(.pukNeeded))
            #expect(await rig.eventually { rig.count("AT+CPIN?") > 3 })
            #expect(!rig.received.contains { $0.hasPrefix("AT+CPIN=") })
        }
    }

    @Test func `no-sim: says so`() async throws {
        try await Rig.run("no-sim") { rig in
            #expect(await rig.alarm(.noSIM))
            #expect(rig.driver.health.sim == .missing)
        }
    }

    @Test func `congestion: refuses for now, then sends`() async throws {
        try await Rig.run("congestion") { rig in
            #expect(await rig.send("hi") == .refused(.network(42)))
            #expect(await rig.send("hi") == .accepted(references: [8]))
        }
    }

    @Test func `barred: refuses, and says why`() async throws {
        try await Rig.run("barred") { rig in
            #expect(await rig.send("hi") == .refused(.network(8)))
            #expect(await rig.send("hi") == .refused(.network(8)))
        }
    }

    @Test func `full-sim: hands over what strangers sent, and deletes it`() async throws {
        try await Rig.run("full-sim") { rig in
            #expect(await rig.eventually { rig.sent("AT+CMGD=1", "AT+CMGD=2", "AT+CMGR=3", "AT+CMGD=3") })
            #expect(rig.driver.health.messageCount == 3)
        }
    }

    @Test func `dead-until-reset: comes back with a restart of the radio`() async throws {
        try await Rig.run("dead-until-reset", timing: .impatient) { rig in
            #expect(await rig.isReady())
            #expect(rig.count("AT+CFUN=1,1") == 1)
        }
    }

    @Test func `dead: ends with an alarm and goes on trying`() async throws {
        try await Rig.run("dead", timing: .impatient) { rig in
            #expect(await rig.alarm(.unresponsive))
            let before = rig.count("AT")
            #expect(await rig.eventually { rig.count("AT") > before })
        }
    }
}
