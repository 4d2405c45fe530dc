import Enforcement
import Foundation
import Storage
import Synchronization
import TestKit
import Testing

@testable import Appliance

/// The socket as systemd serves it: a process for each connection, which is its standard input and output.
final class AnswerSocket: Sendable {
    let path: String
    private let descriptor: Int32

    init(_ path: String, environment: [String: String], program: String = Checkout.program.path) throws {
        self.path = path
        descriptor = try UnixSocket.bound(to: path, SOCK_STREAM)
        try #require(listen(descriptor, 8) == 0)
        let listener = descriptor
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                let process = Process()
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = ["answer"]
                process.environment = environment.merging(["OMP_THREAD_LIMIT": "1"]) { $1 }
                let handle = FileHandle(fileDescriptor: connection, closeOnDealloc: false)
                process.standardInput = handle
                process.standardOutput = handle
                process.standardError = FileHandle.nullDevice
                try? process.run()
                close(connection)
                process.waitUntilExit()
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}

@Suite("A box that answers its group", .timeLimit(.minutes(10)))
struct AnswerTests {
    private let folder: TemporaryFolder
    private let socket: AnswerSocket

    init() throws {
        folder = try TemporaryFolder()
        for name in ["incoming", "data"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
        let path = try folder.write(PostFile.text, to: "checkpost.toml").path
        let store = try Store(path: folder["data/checkpost.sqlite"].path)
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "BA 1 PA 1234", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: BoxClock.now, clockState: .synchronised, confidence: 0.9,
            origin: .camera)
        try store.passages.record(passage, at: BoxClock.now)
        try store.alarms.raise(
            "camera.gate", .critical, "The camera gate is gone.", hint: "Look at it.", at: BoxClock.now)
        try store.close()
        socket = try AnswerSocket(folder["answers"].path, environment: ["CHECKPOST_CONFIG": path])
    }

    private func ask(_ arguments: [String]) async throws -> Program.Result {
        try await Program.run(arguments, environment: ["CHECKPOST_ANSWERS": socket.path])
    }

    @Test func `tells status with alarms, passages and the queue, with the exit status of the command`() async throws {
        let status = try await ask(["status"])
        #expect(status.status == 1, "it does not run, and a camera is gone")
        #expect(status.output.contains("The camera gate is gone. Look at it."), "\(status)")
        let passages = try await ask(["passages", "--json"])
        #expect(passages.status == 0 && passages.objects.first?["text"] as? String == "BA 1 PA 1234", "\(passages)")
        let queue = try await ask(["queue"])
        #expect(queue.output.contains("BA 1 PA 1234"), "\(queue)")
    }

    @Test func `says what was used wrongly as the command itself does`() async throws {
        let result = try await ask(["passages", "--limit", "0"])
        #expect(result.status == 2 && result.errors.contains("--limit"), "\(result)")
    }

    @Test(arguments: [
        ["queue", "retry", "--failed"], ["export", "passages"], ["status", "--config", "/etc/passwd"],
        ["self-test", "--alarms"], ["run"], ["answer"], ["user", "list"], ["no", "such"],
    ])
    func `answers nothing that writes, names a file, or isn't its own`(_ arguments: [String]) async throws {
        let answer = try AnswerExchange.ask(.init(arguments: arguments), at: socket.path)
        #expect(answer.end.status != 0 && answer.output.isEmpty, "\(String(decoding: answer.output, as: UTF8.self))")
    }

    @Test func `ends a question that is none`() async throws {
        let descriptor = try UnixSocket.connected(to: socket.path, SOCK_STREAM)
        defer { close(descriptor) }
        let noise = [UInt8](repeating: 0x41, count: 20_000)
        _ = send(descriptor, noise, noise.count, Int32(MSG_NOSIGNAL))
        var answer = [UInt8](repeating: 0, count: 4096)
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let count = recv(descriptor, &answer, answer.count, 0)
        #expect(count > 0 && String(decoding: answer[..<max(0, count)], as: UTF8.self).contains("no question"))
    }

    @Test func `says that nobody answers where there is no socket`() {
        #expect(throws: AnswerExchange.Failure.nobody) {
            try AnswerExchange.ask(.init(arguments: ["status"]), at: folder["none"].path)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else"))
    func `what may not be read is not taken for absent`() async throws {
        chmod(folder.url.path, 0o755)
        let program = folder["checkpost"].path
        try FileManager.default.copyItem(atPath: Checkout.program.path, toPath: program)
        chmod(program, 0o755)
        try FileManager.default.createDirectory(at: folder["etc"], withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: folder["checkpost.toml"], to: folder["etc/checkpost.toml"])
        for name in ["etc", "data"] { chmod(folder[name].path, 0o700) }
        for (arguments, words) in [
            (["status", "--config", folder["etc/checkpost.toml"].path], "permission is missing"),
            (["status", "--database", folder["data/checkpost.sqlite"].path], "can't be looked into"),
            (["passages", "--database", folder["data/checkpost.sqlite"].path], "can't be read: Permission denied"),
        ] {
            let result = try await asNobody(program, arguments)
            #expect(result.contains(words) && !result.contains("no such file"), "\(arguments): \(result)")
            #expect(!result.contains("There is no database") && !result.contains("not running"), "\(result)")
        }
    }

    private func asNobody(_ program: String, _ arguments: [String]) async throws -> String {
        try await OtherProgram.run(
            "/usr/bin/setpriv", ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups", program] + arguments
        ).output
    }
}
