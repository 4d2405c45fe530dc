import Foundation
import TestKit

/// https on 127.0.0.1 before a server that has none, as a proxy in front of it does. It ends with this object.
final class TLSFront {
    let folder: TemporaryFolder
    let certificateFile: String
    let port: Int
    private let process = Process()

    private static let program = """
        import socket, ssl, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("cert.pem", "key.pem")
        listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        def carry(one, other):
            try:
                while piece := one.recv(65536): other.sendall(piece)
            except OSError: pass
            for end in (one, other):
                try: end.shutdown(socket.SHUT_RDWR)
                except OSError: pass
        def serve(client):
            try: sealed = context.wrap_socket(client, server_side=True)
            except OSError: return
            target = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
            for ends in ((sealed, target), (target, sealed)): threading.Thread(target=carry, args=ends, daemon=True).start()
        threading.Thread(target=lambda: (sys.stdin.read(), __import__("os")._exit(0)), daemon=True).start()
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    init(to target: UInt16) throws {
        folder = try TemporaryFolder()
        certificateFile = try SelfSignedServer.makeCertificate(in: folder[""])
        port = try FreePort.next()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.currentDirectoryURL = folder[""]
        process.arguments = ["-c", Self.program, "\(port)", "\(target)"]
        process.standardInput = Pipe()
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}
