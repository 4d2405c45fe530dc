import Foundation

/// An HTTPS server on 127.0.0.1 whose certificate nobody but itself signed; it gives the files of a folder. It is stopped with this object.
package final class SelfSignedServer: @unchecked Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Its certificate in PEM form.
    package let certificateFile: String
    private let folder: URL
    private let process = Process()
    private let input = Pipe()
    private let port: String

    /// - Parameter files: what it gives, by name.
    package init(_ files: [String: Data]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
        certificateFile = try Self.makeCertificate(in: folder)
        let output = Pipe()
        process.executableURL = Self.openssl
        process.currentDirectoryURL = folder
        process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-key", "key.pem", "-cert", "cert.pem", "-WWW"]
        process.standardInput = input
        process.standardOutput = output
        // It tells there of each client that believes it not.
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Its first lines name the port: `ACCEPT 127.0.0.1:40001`.
        var port: String?
        while port == nil {
            guard let line = try Self.line(of: output) else { throw Failure(description: "openssl serves nothing") }
            if line.hasPrefix("ACCEPT ") { port = line.split(separator: ":").last.map(String.init) }
        }
        self.port = port ?? ""
    }

    private static let openssl = URL(fileURLWithPath: "/usr/bin/openssl")

    /// Makes `key.pem` and `cert.pem` of 127.0.0.1.
    ///
    /// - Returns: the certificate's path.
    package static func makeCertificate(in folder: URL) throws -> String {
        let maker = Process()
        maker.executableURL = openssl
        maker.currentDirectoryURL = folder
        maker.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-addext",
            "subjectAltName=IP:127.0.0.1", "-days", "2", "-keyout", "key.pem", "-out", "cert.pem",
        ]
        maker.standardInput = FileHandle.nullDevice
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        guard maker.terminationStatus == 0 else { throw Failure(description: "openssl made no certificate") }
        return folder.appendingPathComponent("cert.pem").path
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    package func url(_ name: String) -> String { "https://127.0.0.1:\(port)/\(name)" }

    /// nil at the end of what it says.
    private static func line(of output: Pipe) throws -> String? {
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte == Data([10]) { return String(decoding: line, as: UTF8.self) }
            line += byte
        }
        return nil
    }
}
