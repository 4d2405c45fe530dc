import Enforcement
import Foundation
import Logging
import Storage
import TestKit
import Testing

@testable import Console

@Suite("A receipt printer", .serialized, .timeLimit(.minutes(5)))
struct ReceiptPrinterTests {
    /// A printer's end of a line that takes what is printed, or not.
    private final class Paper: Sendable {
        let terminal: PseudoTerminal

        init() throws { terminal = try PseudoTerminal() }
        deinit { close(terminal.master) }

        /// What has come so far.
        func take() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            var all: [UInt8] = []
            while case let count = read(terminal.master, &bytes, bytes.count), count > 0 { all += bytes[..<count] }
            return all
        }
    }

    /// - Parameter patience: how long the printer may take nothing.
    private func device(_ path: String, patience: Duration = .seconds(20)) -> PrinterDevice {
        var device = PrinterDevice(path: path)
        device.patience = patience
        return device
    }

    /// Every byte, also those that a terminal would change.
    private static let receipt = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test func `gets every byte as it is, over a line that takes little at a time`() async throws {
        let paper = try Paper()
        let device = device(paper.terminal.path)
        async let sent: Void = device.send(Self.receipt, afterFailure: false)
        var got: [UInt8] = []
        while got.count < Self.receipt.count {
            got += paper.take()
            try await Task.sleep(for: .milliseconds(1))
        }
        try await sent
        #expect(got == Self.receipt)
    }

    @Test func `that takes nothing is given up`() async throws {
        let paper = try Paper()
        await #expect(throws: PrinterDevice.Failure.self) {
            try await device(paper.terminal.path, patience: .milliseconds(300)).send(Self.receipt, afterFailure: false)
        }
        await #expect(throws: PrinterDevice.Failure.self) {
            try await device("/dev/no-such-printer").send([1], afterFailure: false)
        }
    }

    @Test func `makes no file where a device is missing, and finishes the picture that one was left in`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "printer-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let path = file.path(percentEncoded: false)
        await #expect(throws: PrinterDevice.Failure.self) { try await device(path).send([1], afterFailure: false) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: file)
        try await device(path).send([1, 2], afterFailure: true)
        let sent = try Data(contentsOf: file)
        // More than the largest command of a receipt has dots.
        #expect(
            sent.count > 128 * 576 / 8 && sent.dropLast(2).allSatisfy { $0 == 0 } && sent.suffix(2) == Data([1, 2]))
    }

    @Test func `holds up nobody: what it does stands on the page, and a failure is an alarm until the next receipt`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: "printer-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let rig = try await Rig(printer: file.path(percentEncoded: false))
        do {
            try await printing(rig, to: file)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
    }

    private func printing(_ rig: Rig, to file: URL) async throws {
        let violation = try rig.violation()
        let visitor = try await rig.ranger()
        let page = "/outcome?violation=\(violation.id)"
        #expect(try await visitor.get(page).text.contains("PRINT NOTICE"))
        func ask(_ language: String) async throws {
            let answer = try await visitor.post(
                "/do/notices/print", ["violation_id": "\(violation.id)", "language": language])
            #expect(
                answer.status == 303 && answer.location?.hasPrefix("/outcome?said=printing") == true, "\(answer.text)")
        }
        func until(_ words: String) async throws {
            while !(try await visitor.get("/fragments/printer").text.contains(words)) {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        // There is no printer yet.
        try await ask("en")
        try await until("NOT PRINTED")
        #expect(try rig.store.alarms.list().contains { $0.key == ReceiptPrinter.alarmKey })
        try Data().write(to: file)
        try await ask("ne")
        try await until("Printed")
        #expect(try rig.store.alarms.list().isEmpty)
        let receipt = try Data(contentsOf: file)
        #expect(receipt.starts(with: [0x1B, 0x40]) && receipt.count > 20_000)
    }

    @Test func `has a bounded line before it, and none where the configuration names none`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await Rig.run { (rig: Rig) async throws -> Void in
            let printer = ReceiptPrinter(
                path: "/dev/null", store: rig.store, log: Logger(label: "printer"), clock: { rig.clock.now })
            var taken = 0
            while printer.print({
                for await _ in gate { break }
                return [0]
            }) {
                taken += 1
                #expect(taken <= ReceiptPrinter.mostWaiting + 1)
            }
            #expect(taken >= ReceiptPrinter.mostWaiting && printer.news == .printing)
            open.finish()
            while printer.news == .printing { try await Task.sleep(for: .milliseconds(10)) }
            #expect(printer.news == .printed(at: rig.clock.now))
            let violation = try rig.violation()
            let visitor = try await rig.ranger()
            #expect(!(try await visitor.get("/outcome?violation=\(violation.id)").text.contains("PRINT NOTICE")))
            _ = try await visitor.get("/")
            let answer = try await visitor.call("/api/notices/print", ["violation_id": "\(violation.id)"])
            #expect(answer.status == 409)
        }
    }
}
