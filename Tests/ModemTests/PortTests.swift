import Foundation
import Glibc
import TestKit
import Testing

@testable import Modem

@Suite("A serial port", .timeLimit(.minutes(10)))
struct SerialPortTests {
    /// A pseudo-terminal and a directory for lock files.
    private struct Line {
        let master: Int32
        let path: String
        let directory: URL

        init() throws {
            let terminal = try PseudoTerminal()
            master = terminal.master
            path = terminal.path
            directory = FileManager.default.temporaryDirectory.appending(path: "port-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }

        func unplug() {
            close(master)
            try? FileManager.default.removeItem(at: directory)
        }

        var settings: SerialPort.Settings {
            var settings = SerialPort.Settings()
            settings.lockDirectory = directory.path
            return settings
        }

        var lockFile: String { directory.path + "/LCK..pts_" + path.split(separator: "/").last!.description }
    }

    @Test func `passes every byte unchanged, both ways`() throws {
        let line = try Line()
        defer { line.unplug() }
        let port = try SerialPort(path: line.path, settings: line.settings)
        defer { port.close() }
        let bytes = (0...255).map { UInt8($0) }
        try port.write(bytes, timeout: .seconds(5))
        var received = [UInt8](repeating: 0, count: 1024)
        #expect(read(line.master, &received, 1024) == 256)
        #expect(Array(received.prefix(256)) == bytes)
        #expect(write(line.master, bytes, bytes.count) == 256)
        var back: [UInt8] = []
        for _ in 0..<1000 where back.count < 256 {
            back += try port.read()
            usleep(1000)
        }
        #expect(back == bytes)
        #expect(try port.read() == [])
    }

    @Test func `is held by one at a time, and free again when closed`() throws {
        let line = try Line()
        defer { line.unplug() }
        let port = try SerialPort(path: line.path, settings: line.settings)
        #expect(throws: SerialPortError.inUse(path: line.path, processID: getpid())) {
            try SerialPort(path: line.path, settings: line.settings)
        }
        // In ten columns, as the programs that look into it expect.
        let owner = try String(contentsOfFile: line.lockFile, encoding: .utf8)
        #expect(owner.count == 11 && owner.hasSuffix(" \(getpid())\n"))
        port.close()
        #expect(!FileManager.default.fileExists(atPath: line.lockFile))
        try SerialPort(path: line.path, settings: line.settings).close()
    }

    @Test func `respects the lock of another program and takes over a dead one's`() throws {
        let line = try Line()
        defer { line.unplug() }
        try Data("         1\n".utf8).write(to: URL(filePath: line.lockFile))
        #expect(throws: SerialPortError.inUse(path: line.path, processID: 1)) {
            try SerialPort(path: line.path, settings: line.settings)
        }
        // Past the largest process id that Linux gives.
        try Data("   4999999\n".utf8).write(to: URL(filePath: line.lockFile))
        try SerialPort(path: line.path, settings: line.settings).close()
    }

    @Test func `tells when the other side is gone`() throws {
        let line = try Line()
        let port = try SerialPort(path: line.path, settings: line.settings)
        defer { port.close() }
        line.unplug()
        #expect(throws: SerialPortError.hungUp) { try port.read() }
    }

    @Test func `gives up writing when nobody takes the bytes`() throws {
        let line = try Line()
        defer { line.unplug() }
        let port = try SerialPort(path: line.path, settings: line.settings)
        defer { port.close() }
        #expect(throws: SerialPortError.writeTimedOut) {
            try port.write([UInt8](repeating: 65, count: 1 << 20), timeout: .milliseconds(50))
        }
    }

    @Test func `says what is wrong with a port that can't be opened`() throws {
        let line = try Line()
        defer { line.unplug() }
        #expect(throws: SerialPortError.missing(path: "/dev/serial/by-id/none")) {
            try SerialPort(path: "/dev/serial/by-id/none", settings: line.settings)
        }
        #expect(throws: SerialPortError.notATerminal(path: "/dev/null")) {
            try SerialPort(path: "/dev/null", settings: line.settings)
        }
        var settings = line.settings
        settings.speed = 12_345
        #expect(throws: SerialPortError.unsupportedSpeed(12_345)) {
            try SerialPort(path: line.path, settings: settings)
        }
    }

    @Test(arguments: [true, false])
    func `has the speed and the flow control that were asked, in eight bits`(usesHardware: Bool) throws {
        let line = try Line()
        defer { line.unplug() }
        var settings = line.settings
        settings.speed = 9600
        settings.usesHardwareFlowControl = usesHardware
        var before = termios()
        #expect(tcgetattr(line.master, &before) == 0)
        let flowControl = tcflag_t(truncatingIfNeeded: CRTSCTS)
        // As somebody left it: the other way round.
        if usesHardware { before.c_cflag &= ~flowControl } else { before.c_cflag |= flowControl }
        before.c_cflag |= tcflag_t(CSTOPB)
        #expect(tcsetattr(line.master, TCSANOW, &before) == 0)
        let port = try SerialPort(path: line.path, settings: settings)
        defer { port.close() }
        var after = termios()
        #expect(tcgetattr(port.descriptor, &after) == 0)
        #expect(cfgetispeed(&after) == speed_t(B9600) && cfgetospeed(&after) == speed_t(B9600))
        #expect((after.c_cflag & flowControl != 0) == usesHardware)
        #expect(after.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8) && after.c_cflag & tcflag_t(CSTOPB | PARENB) == 0)
        #expect(after.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    }

    @Test func `is nobody else's while it is open, for programs that know of no lock file either`() throws {
        let line = try Line()
        defer { line.unplug() }
        let port = try SerialPort(path: line.path, settings: line.settings)
        defer { port.close() }
        // Root could open it all the same: the terminal itself is asked (TIOCGEXCL, a macro that Swift doesn't take over).
        var isExclusive: Int32 = 0
        #expect(ioctl(port.descriptor, 0x8004_5440, &isExclusive) == 0)
        #expect(isExclusive == 1)
    }

    @Test func `begins with what comes after it was opened`() throws {
        let line = try Line()
        defer { line.unplug() }
        let former = open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        defer { close(former) }
        try #require(former >= 0)
        #expect(write(line.master, "RING\r\n", 6) == 6)
        let port = try SerialPort(path: line.path, settings: line.settings)
        defer { port.close() }
        // What must not come is waited for.
        usleep(20_000)
        #expect(try port.read() == [])
    }

    @Test func `leaves no lock file open behind when it is in use`() throws {
        let line = try Line()
        defer { line.unplug() }
        func opened() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == line.lockFile
            }
        }
        let port = try SerialPort(path: line.path, settings: line.settings)
        for _ in 0..<3 {
            #expect(throws: SerialPortError.self) { try SerialPort(path: line.path, settings: line.settings) }
        }
        #expect(try opened() == 1)
        port.close()
        try Data("         1\n".utf8).write(to: URL(filePath: line.lockFile))
        #expect(throws: SerialPortError.self) { try SerialPort(path: line.path, settings: line.settings) }
        #expect(try opened() == 0)
    }

    @Test func `is held by one at a time where no lock file can be made`() throws {
        let line = try Line()
        defer { line.unplug() }
        var settings = line.settings
        settings.lockDirectory = "/does/not/exist"
        let port = try SerialPort(path: line.path, settings: settings)
        #expect(throws: SerialPortError.inUse(path: line.path, processID: nil)) {
            try SerialPort(path: line.path, settings: settings)
        }
        port.close()
        try SerialPort(path: line.path, settings: settings).close()
    }

    @Test func `respects another program's lock in a directory that it can't write to`() throws {
        let line = try Line()
        defer { line.unplug() }
        // A link in place of the file is never followed: it can't be opened for writing, whoever asks.
        let locks = line.directory.appending(path: "locks")
        try FileManager.default.createDirectory(at: locks, withIntermediateDirectories: true)
        let name = locks.appending(path: "LCK..pts_" + line.path.split(separator: "/").last!).path
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "/does/not/exist")
        var settings = line.settings
        settings.lockDirectory = locks.path
        try SerialPort(path: line.path, settings: settings).close()
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: name)) != nil, "it stays as it was")
    }

    @Test func `may be any that is plugged in, the one that worked before the others`() throws {
        let line = try Line()
        defer { line.unplug() }
        let source = PortSource.anyIn(directory: line.directory.path)
        #expect(source.paths() == [])
        for name in ["usb-b", "usb-a"] { try Data().write(to: line.directory.appending(path: name)) }
        #expect(source.paths().map { $0.suffix(5) } == ["usb-a", "usb-b"])
        #expect(source.paths(first: line.directory.path + "/usb-b").map { $0.suffix(5) } == ["usb-b", "usb-a"])
        #expect(source.paths(first: "/dev/gone").map { $0.suffix(5) } == ["usb-a", "usb-b"])
        #expect(PortSource(setting: "auto") == .anyIn(directory: "/dev/serial/by-id"))
        #expect(PortSource(setting: "/dev/ttyUSB2") == .path("/dev/ttyUSB2"))
    }
}
