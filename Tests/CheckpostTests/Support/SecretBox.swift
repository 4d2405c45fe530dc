import Enforcement
import Foundation
import HTTPClient
import TestKit

/// A running appliance with every secret that one can have, each of a value that is found again, and with everything failing that takes
/// one: cameras and server refuse the login, the SIM refuses the PIN.
final class SecretBox {
    /// What each secret holds and nothing else does. Around it are characters that addresses escape.
    enum Value {
        static let camera = "cam41kzq"
        static let address = "adr52mvw"
        static let stream = "rtp63nxy"
        static let server = "srv74pba"
        static let console = "con85rdc"
        static let wrong = "wro96tfe"
        static let pin = "73910264"
        static let wrongPIN = "46201937"
        static let simPIN = "83920174"
        static let all = [camera, address, stream, server, console, wrong, pin, wrongPIN, simPIN]
    }

    let folder: TemporaryFolder
    let url: String
    let configuration: URL
    let modem: ScriptedModem
    private let refuser: Process
    private var process: Process?

    /// Answers 401 to everything, and repeats what it was asked, as a talkative device does.
    private static let refusing = """
        import http.server, sys
        class Refuser(http.server.BaseHTTPRequestHandler):
            def answer(self):
                self.rfile.read(int(self.headers.get('Content-Length') or 0))
                body = b'{"message": "refused"}'
                self.send_response(401)
                self.send_header('WWW-Authenticate', 'Basic realm="' + self.path + '"')
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                with open(sys.argv[2], 'a') as seen: seen.write(self.path + '\\n')
            do_GET = do_POST = answer
            def log_message(self, *words): pass
        http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Refuser).serve_forever()
        """

    init(level: String) async throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder["incoming"], withIntermediateDirectories: true)
        for (name, value) in [("camera", Value.camera), ("stream", Value.stream), ("server", Value.server)] {
            _ = try folder.write("p@ss/\(value) %x\n", to: name + ".password")
        }
        _ = try folder.write(Value.simPIN + "\n", to: "sim.pin")
        modem = try ScriptedModem(
            Dialogue(
                text: """
                    on AT+CPIN?
                      < +CPIN: SIM PIN
                      < OK
                    on AT+CPIN="\(Value.simPIN)"
                      < AT+CPIN="\(Value.simPIN)"
                      < +CME ERROR: 16
                    """))
        let (port, refuserPort, closed) = (try FreePort.next(), try FreePort.next(), try FreePort.next())
        url = "http://127.0.0.1:\(port)"
        configuration = try folder.write(
            PostFile.text + """
                [[camera]]
                name = "yard"
                kind = "mjpeg"
                url = "http://127.0.0.1:\(refuserPort)/stream?key=\(Value.address)"
                user = "viewer"
                password_file = "camera.password"
                [[camera]]
                name = "rear"
                kind = "rtsp"
                url = "rtsp://127.0.0.1:\(closed)/live?token=\(Value.address)"
                user = "viewer"
                password_file = "stream.password"
                [reader]
                models = "\(Checkout.root.appendingPathComponent("models").path)"
                [console]
                port = \(port)
                [server]
                url = "http://127.0.0.1:\(refuserPort)"
                email = "bnp-a@bnp.local"
                password_file = "server.password"
                [sms]
                gateway_number = "+9779800000000"
                [modem]
                device = "\(modem.path)"
                pin_file = "sim.pin"
                [log]
                level = "\(level)"
                """, to: "checkpost.toml")
        refuser = Process()
        refuser.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        refuser.arguments = ["-c", Self.refusing, "\(refuserPort)", folder["asked"].path]
        try refuser.run()
        let typed = try folder.write("\(Value.console)\n\(Value.pin)\n", to: "typed")
        let added = try await Program.run(
            ["user", "add", "tek", "--role", "technician", "--pin", "--config", configuration.path], input: typed)
        guard added.status == 0 else { throw RunningAppliance.Failure(description: added.errors) }
    }

    deinit {
        for process in [process, refuser].compactMap(\.self) where process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        modem.stop()
    }

    var log: String { (try? String(contentsOf: folder["run.log"], encoding: .utf8)) ?? "" }

    /// What the camera and the server were asked for.
    var asked: String { (try? String(contentsOf: folder["asked"], encoding: .utf8)) ?? "" }

    /// Starts it, with both of its outputs in one log.
    func start() throws {
        try Data().write(to: folder["run.log"])
        let handle = try FileHandle(forWritingTo: folder["run.log"])
        process = try Program.start(
            ["run", "--simulated-clock", "--config", configuration.path], output: handle, errors: handle)
    }

    func stop() {
        guard let process else { return }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
    }

    /// Signs in at the console.
    ///
    /// - Returns: the status of the answer.
    func signIn(_ fields: [String: String]) throws -> Int {
        let request = HTTPRequest(
            .post, HTTPAddress.url(url, "/api/sign-in"), headers: ["Content-Type": "application/json"],
            body: try JSONEncoder().encode(fields), limits: HTTPLimits(total: .seconds(30)))
        return (try? HTTPConnection().perform(request).status) ?? 0
    }

    /// All that the box has written for people and for its own parts: the log, and every file in the folder `run`.
    func written() throws -> [(name: String, text: String)] {
        let run = folder["data/run"].resolvingSymlinksInPath()
        let files = try FileManager.default.contentsOfDirectory(at: run, includingPropertiesForKeys: nil)
        return [("run.log", log)]
            + files.map {
                let content = FileManager.default.contents(atPath: $0.path) ?? Data()
                return ($0.lastPathComponent, String(decoding: content, as: UTF8.self))
            }
    }
}
