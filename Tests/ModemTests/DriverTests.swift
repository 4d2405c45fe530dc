import Foundation
import Glibc
import Testing

@testable import Modem

@Suite("A modem driver", .timeLimit(.minutes(10)))
struct ModemDriverTests {
    @Test func `reports a missing port, refuses texts, and stops`() async throws {
        let number = try #require(PhoneNumber("+9779812345678"))
        let driver = try ModemDriver(source: .path("/dev/serial/by-id/none")) { _ in }
        #expect(await driver.send(to: number, text: "hi").result == .refused(.driverStopped))
        driver.start()
        driver.start()
        #expect(await driver.send(to: number, text: "hi").result == .refused(.notReady))
        driver.stop()
        driver.stop()
        #expect(await driver.send(to: number, text: "hi").result == .refused(.driverStopped))
        // A stopped one stays so: there is no thread that would ever send the text.
        driver.start()
        #expect(await driver.send(to: number, text: "hi").result == .refused(.driverStopped))
        driver.stop()
    }

    @Test func `has one thread, however often it is started`() async throws {
        let troubles = DispatchSemaphore(value: 0)
        let driver = try ModemDriver(source: .path("/dev/serial/by-id/none")) { event in
            if case .portTrouble = event { troubles.signal() }
        }
        driver.start()
        driver.start()
        await onThread {
            #expect(troubles.wait(timeout: .now() + 60) == .success)
            driver.stop()
            #expect(troubles.wait(timeout: .now() + 0.2) == .timedOut, "each thread would tell it once")
        }
    }

    @Test func `answers for a text at once, while it waits for its port`() async throws {
        let number = try #require(PhoneNumber("+9779812345678"))
        var settings = GSMModem.Settings()
        settings.timing.reopen = .seconds(60)
        settings.timing.portAlarm = .seconds(60)
        let troubles = DispatchSemaphore(value: 0)
        let driver = try ModemDriver(source: .path("/dev/serial/by-id/none"), settings: settings) { event in
            if case .portTrouble = event { troubles.signal() }
        }
        driver.start()
        await onThread { #expect(troubles.wait(timeout: .now() + 60) == .success) }
        let begun = ContinuousClock.now
        #expect(await driver.send(to: number, text: "hi").result == .refused(.notReady))
        #expect(ContinuousClock.now - begun < .seconds(20))
        driver.stop()
    }

    @Test func `takes no text while it is being stopped, and holds nobody up who stops it a second time`() async throws
    {
        let number = try #require(PhoneNumber("+9779812345678"))
        let (driver, isHeld, mayGoOn) = try heldDriver()
        let (stopped, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        await onThread {
            #expect(isHeld.wait(timeout: .now() + 60) == .success)
            Thread {
                driver.stop()
                stopped.signal()
            }.start()
            while !driver.state.withLock(\.mustStop) { usleep(1000) }
        }
        // Should it be taken after all, the test ends all the same.
        Thread {
            _ = isOver.wait(timeout: .now() + 20)
            mayGoOn.signal()
        }.start()
        #expect(await driver.send(to: number, text: "hi").result == .refused(.driverStopped))
        await onThread { driver.stop() }
        #expect(stopped.wait(timeout: .now()) == .timedOut, "the first one waits for the thread")
        isOver.signal()
        await onThread { #expect(stopped.wait(timeout: .now() + 60) == .success) }
    }

    @Test func `takes no more texts than a modem gets rid of`() async throws {
        let number = try #require(PhoneNumber("+9779812345678"))
        let (driver, isHeld, mayGoOn) = try heldDriver()
        await onThread { #expect(isHeld.wait(timeout: .now() + 60) == .success) }
        await withTaskGroup(of: SendResult.self) { group in
            for _ in 0..<16 { group.addTask { await driver.send(to: number, text: "hi").result } }
            while driver.state.withLock({ $0.inbox.count }) < 16 { await Task.yield() }
            #expect(await driver.send(to: number, text: "hi").result == .refused(.driverStopped))
            mayGoOn.signal()
            // The driver takes all of them at once.
            for await result in group { #expect(result == .refused(.notReady)) }
        }
        driver.stop()
    }

    /// A driver that has met a missing port, and waits there until it may go on.
    private func heldDriver() throws -> (ModemDriver, isHeld: DispatchSemaphore, mayGoOn: DispatchSemaphore) {
        let (isHeld, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let driver = try ModemDriver(source: .path("/dev/serial/by-id/none")) { event in
            guard case .portTrouble = event else { return }
            isHeld.signal()
            mayGoOn.wait()
        }
        driver.start()
        return (driver, isHeld, mayGoOn)
    }

    /// Waits on a thread of its own: those of tasks must not be held.
    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            Thread {
                body()
                done.resume()
            }.start()
        }
    }
}

@Suite("The memory of a PIN", .timeLimit(.minutes(10)))
struct PINMemoryFileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "pin-\(UUID().uuidString)").path

    @Test func `holds what became of the PIN, for its owner's eyes only`() throws {
        let file = PINMemoryFile(path: path)
        defer { file.forget() }
        #expect(file.read(pin: "1234") == .untried)
        #expect(file.write(.attempted, pin: "1234"))
        #expect(file.read(pin: "1234") == .attempted)
        #expect(file.write(.rejected, pin: "1234"))
        #expect(file.read(pin: "1234") == .rejected)
        #expect(file.read(pin: "4321") == .untried, "another PIN has its own chance")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(file.write(.untried, pin: "1234"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "", "a PIN that was right is not kept")
        #expect(file.read(pin: "1234") == .untried)
    }

    @Test func `is forgotten once, and says when it can't be`() throws {
        let file = PINMemoryFile(path: path)
        #expect(file.write(.rejected, pin: "1234"))
        #expect(file.forget())
        #expect(file.read(pin: "1234") == .untried)
        #expect(file.forget(), "nothing is there, which is what was wanted")
        // A folder stands where the file should.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(!file.forget())
    }

    @Test func `keeps no file open, however often it is written`() throws {
        let file = PINMemoryFile(path: path)
        defer { file.forget() }
        for _ in 0..<50 { #expect(file.write(.attempted, pin: "1234")) }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))?.contains(path) == true
        }
        #expect(open.isEmpty, "\(open)")
    }

    @Test func `counts as a rejection when it can't be understood`() throws {
        let file = PINMemoryFile(path: path)
        defer { file.forget() }
        try Data("what\n".utf8).write(to: URL(filePath: path))
        #expect(file.read(pin: "1234") == .rejected)
    }

    @Test func `says when it can't be written, and leaves nothing half written behind`() throws {
        #expect(!PINMemoryFile(path: "/does/not/exist/pin").write(.attempted, pin: "1234"))
        // A folder stands where the file should.
        try FileManager.default.createDirectory(atPath: path + "/full", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(!PINMemoryFile(path: path).write(.attempted, pin: "1234"))
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `belongs to whom its folder belongs to, when root tries the modem`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(chown(path, 65_534, 65_533) == 0)
        #expect(PINMemoryFile(path: path + "/pin").write(.attempted, pin: "1234"))
        var status = stat()
        #expect(stat(path + "/pin", &status) == 0)
        #expect(status.st_uid == 65_534 && status.st_gid == 65_533)
    }
}
