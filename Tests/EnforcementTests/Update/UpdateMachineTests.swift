import Enforcement
import Foundation
import Testing

@Suite("The steps of an update", .timeLimit(.minutes(1)))
struct UpdateMachineTests {
    private let now = Instant(milliseconds: 1_795_255_200_000)
    private var machine: UpdateMachine

    init() { machine = UpdateMachine(version: "2.0.0", former: "1.0.0", at: now) }

    private func ending(_ kind: UpdateEnding.Kind, _ reason: String? = nil) -> UpdateEnding {
        UpdateEnding(kind: kind, version: "2.0.0", former: "1.0.0", begunAt: now, reason: reason)
    }

    private func starting(_ installed: String = "1.0.0", isWorkedOn: Bool = false) -> UpdateMachine.Event {
        .starting(installed: installed, isWorkedOn: isWorkedOn)
    }

    private func onTrial() -> UpdateMachine {
        var machine = machine
        _ = machine.handle(.prepared(UpdateBaseline(), backup: "/b"))
        return machine
    }

    @Test func `lead from a package to a version that is installed`() {
        var machine = machine
        #expect(machine.handle(.begin) == [.prepare])
        #expect(machine.handle(.prepared(UpdateBaseline(), backup: "/b")) == [.choose(.beside), .watch])
        #expect(machine.handle(.resume) == [.choose(.beside), .restartService])
        #expect(machine.handle(starting()) == [.choose(.beside)])
        #expect(machine.starts == 1)
        #expect(machine.handle(.well) == [.installPackage])
        // Debian's postinst restarts the service while the package is on its way.
        #expect(machine.handle(starting()) == [.choose(.beside)])
        #expect(machine.handle(starting("2.0.0")) == [.choose(.installed)])
        #expect(machine.handle(.installed) == [.choose(.installed), .finish(ending(.updated))])
    }

    @Test func `end before anything is switched when the version is unfit`() {
        var machine = machine
        #expect(
            machine.handle(.notPrepared("its self-test fails")) == [.finish(ending(.refused, "its self-test fails"))])
    }

    @Test func `go on while the service starts beside the preparation, and end when it was cut off`() {
        var machine = machine
        #expect(machine.handle(starting(isWorkedOn: true)) == [])
        #expect(machine.handle(starting()) == [.choose(.installed), .finish(ending(.interrupted))])
        #expect(machine.handle(.resume) == [.choose(.installed), .finish(ending(.interrupted))])
    }

    @Test func `go back when it is not well, with the database`() {
        var machine = onTrial()
        _ = machine.handle(starting())
        #expect(
            machine.handle(.unwell("it does not run"))
                == [.stopService, .choose(.installed), .restoreDatabase(fromBackup: true)])
        #expect(
            machine.handle(.restored(isStarting: false))
                == [.startService, .finish(ending(.wentBack, "it does not run"))])
        #expect(machine.handle(starting()) == [.choose(.installed)])
    }

    @Test func `go back after four starts without ten good minutes`() {
        var machine = onTrial()
        for _ in 0..<UpdateMachine.mostStarts { #expect(machine.handle(starting()) == [.choose(.beside)]) }
        #expect(machine.handle(starting()) == [.choose(.installed), .restoreDatabase(fromBackup: true)])
        // The service is about to start: nobody may start it from within its own start.
        #expect(machine.handle(.restored(isStarting: true)) == [])
        #expect(machine.handle(.resume).first == .startService)
        #expect(machine.reason?.contains("started 4 times") == true)
    }

    @Test func `take up the way back where the power went, and do without the backup when it can't be put back`() {
        var machine = onTrial()
        _ = machine.handle(.unwell("x"))
        #expect(machine.handle(starting()) == [.choose(.installed), .restoreDatabase(fromBackup: true)])
        #expect(
            machine.handle(.resume) == [.stopService, .choose(.installed), .restoreDatabase(fromBackup: false)])
    }

    @Test func `try the installation again as long as it fails`() {
        var machine = onTrial()
        _ = machine.handle(.well)
        #expect(machine.handle(.notInstalled("dpkg is locked")) == [])
        #expect(machine.reason == "dpkg is locked")
        #expect(machine.handle(.resume) == [.installPackage])
    }

    @Test func `give way to a package that somebody installed by hand`() {
        var machine = onTrial()
        #expect(
            machine.handle(starting("3.0.0"))
                == [.choose(.installed), .finish(ending(.interrupted, "3.0.0 was installed by hand"))])
        machine = onTrial()
        #expect(machine.handle(starting("2.0.0")) == [.choose(.installed), .finish(ending(.updated))])
        machine = onTrial()
        _ = machine.handle(.well)
        // Its own package, of which Debian has the version on record before all of it is there.
        #expect(machine.handle(starting("2.0.0")) == [.choose(.installed)])
        #expect(
            machine.handle(starting("3.0.0"))
                == [.choose(.installed), .finish(ending(.interrupted, "3.0.0 was installed by hand"))])
    }

    @Test func `pass over what comes out of turn`() {
        var machine = machine
        for event in [
            UpdateMachine.Event.well, .unwell("x"), .installed, .notInstalled("x"), .restored(isStarting: true),
        ] {
            #expect(machine.handle(event) == [])
        }
        #expect(machine == self.machine)
        var tried = onTrial()
        #expect(tried.handle(.notPrepared("x")) == [])
        #expect(tried.handle(.prepared(UpdateBaseline(), backup: "/c")) == [])
        #expect(tried.backup == "/b")
    }

    @Test func `are the same after a power cut, at each of them`() throws {
        var machine = machine
        let events: [UpdateMachine.Event] = [
            .begin, .prepared(UpdateBaseline(), backup: "/b"), starting(), .unwell("x"), .restored(isStarting: false),
        ]
        for event in events {
            _ = machine.handle(event)
            let kept = try JSONDecoder().decode(UpdateMachine.self, from: JSONEncoder.sorted.encode(machine))
            #expect(kept == machine)
        }
    }
}
