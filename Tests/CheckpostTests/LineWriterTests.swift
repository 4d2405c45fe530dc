import Foundation
import TestKit
import Testing

@testable import Appliance

@Suite("Lines that are written to where somebody says", .timeLimit(.minutes(2)))
struct LineWriterTests {
    private func within(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func write(_ line: String, to path: String) throws {
        let writer = try LineWriter(path: path)
        try writer.write(line)
        try writer.finish()
    }

    @Test func `follow a link, which stays`() throws {
        try within { (folder: String) throws -> Void in
            let (target, link) = (folder + "/target.csv", folder + "/link.csv")
            try Data("before\n".utf8).write(to: URL(fileURLWithPath: target))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.csv")
            try write("after", to: link)
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "after\n")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.csv")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        }
    }

    /// As root, whoever names `/dev/null` must not leave a file in its place.
    @Test func `go into a pipe or a device, which stay what they are`() throws {
        try within { (folder: String) throws -> Void in
            let pipe = folder + "/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            try write("through", to: pipe)
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(reader, &bytes, bytes.count)
            #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "through\n")
            var status = stat()
            #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            try write("away", to: "/dev/null")
            #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        }
    }

    @Test func `name a folder that was meant for a file`() throws {
        try within { (folder: String) throws -> Void in
            #expect(throws: (any Error).self) { try LineWriter(path: folder) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }
}
