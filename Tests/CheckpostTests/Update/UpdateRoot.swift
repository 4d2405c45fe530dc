import Crypto
import Foundation
import Storage
import TestKit

@testable import Appliance

/// A box below a folder of its own, as a package installs it: the real program at `usr/bin/checkpost`, Debian's real `dpkg` with a record
/// of its own, and in place of systemd two scripts that start a service again and again.
final class UpdateRoot: @unchecked Sendable {
    let folder: TemporaryFolder
    let key = Curve25519.Signing.PrivateKey()
    var root: String { folder.url.path }
    var program: String { root + "/usr/bin/checkpost" }
    var configuration: String { root + "/checkpost.toml" }
    var places: UpdatePlaces { UpdatePlaces(root: root) }
    var file: UpdateFile { UpdateFile(places: places) }
    var database: String { root + "/data/checkpost.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        for name in [
            "usr/bin", "var/lib/dpkg/info", "var/lib/dpkg/updates", "data", "incoming", "no-models",
            "run/systemd/system",
        ] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
        try Data().write(to: folder["var/lib/dpkg/status"])
        _ = try folder.write(
            PostFile.text + """
                [reader]
                models = "no-models"
                [update]
                public_key = "\(key.publicKey.rawRepresentation.base64EncodedString())"
                """, to: "checkpost.toml")
        try writeTools()
        // Debian has the version that runs on record; its file is the real program, kept once beside.
        try link("/usr/bin/dpkg-deb", as: "dpkg-deb")
        let old = try package("1.0.0", script: "exit 0", isSigned: false)
        _ = try OtherProgram.runAndWait(root + "/usr/bin/dpkg", ["--install", old])
        try FileManager.default.copyItem(atPath: Checkout.program.path, toPath: root + "/real")
        try putRealProgram()
        let store = try Store(path: database)
        try store.close()
    }

    deinit { cutPower() }

    private func link(_ path: String, as name: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(root)/usr/bin/\(name)", withDestinationPath: path)
    }

    /// The installed program is this checkout's.
    private func putRealProgram() throws {
        unlink(program)
        try FileManager.default.linkItem(atPath: root + "/real", toPath: program)
    }

    private func script(_ name: String, _ text: String) throws {
        try Data("#!/bin/bash\nroot=\(root)\n\(text)\n".utf8).write(to: folder[name])
        chmod(folder[name].path, 0o755)
    }

    private func writeTools() throws {
        try script(
            "usr/bin/dpkg",
            "exec /usr/bin/dpkg --root=$root --force-not-root --force-depends --force-bad-path --log=/dev/null \"$@\"")
        try script("usr/bin/dpkg-query", "exec /usr/bin/dpkg-query --admindir=$root/var/lib/dpkg \"$@\"")
        try script(
            "service",
            """
            echo $$ >$root/service.loop
            while :; do
              test ! -e $root/opt/checkpost/update.json || $root/usr/bin/checkpost update --starting --config $root/checkpost.toml
              $root/usr/bin/checkpost run --simulated-clock --config $root/checkpost.toml &
              echo $! >$root/service.pid
              wait $!
              sleep 0.1
            done >>$root/service.log 2>&1
            """)
        try script(
            "usr/bin/systemctl",
            """
            verb=$1; shift
            while [ "${1#--}" != "$1" ]; do shift; done
            # As systemd does it: the program is asked, and then everything of the service is gone, with what prepares its start.
            end() {
              loop=$(cat $root/service.loop 2>/dev/null)
              kill -KILL $loop 2>/dev/null
              pid=$(cat $root/service.pid 2>/dev/null)
              kill $pid 2>/dev/null
              for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
              kill -KILL $pid 2>/dev/null
              test -z "$loop" || kill -KILL -- -$loop 2>/dev/null
              rm -f $root/service.pid $root/service.loop
            }
            # What outlives its caller holds nothing of it: Foundation waits for the last holder of a socket, whatever its number.
            apart() {
              for fd in /proc/$BASHPID/fd/*; do
                n=${fd##*/}
                case "$n $(readlink $fd)" in
                  [012]\\ *) ;;
                  *socket:* | *pipe:*) eval "exec $n>&-" ;;
                esac
              done
              exec setsid "$@" </dev/null >>$root/watch.log 2>&1
            }
            lives() { kill -0 $(cat $root/service.loop 2>/dev/null) 2>/dev/null; }
            case "$verb $1" in
              "is-active checkpost.service") kill -0 $(cat $root/service.pid 2>/dev/null) 2>/dev/null; exit ;;
              "stop checkpost.service") end ;;
              "restart checkpost.service") end; apart $root/service & ;;
              "start checkpost.service") lives || { apart $root/service & } ;;
              "start checkpost-update.service")
                apart $root/usr/bin/checkpost update --watch --config $root/checkpost.toml & ;;
            esac
            exit 0
            """)
    }

    /// What the program of a package answers; `run` is what it does. It knows of updates what the real one knows: once installed, it goes
    /// on with one that a power cut interrupted.
    static func program(_ version: String, run: String, selfTest: String = "passed", status: String? = nil) -> String {
        let told = status ?? #"{"problems":[],"running":{"cameras":[{"name":"gate","frames":3}]},"figures":{}}"#
        return """
            case "$1" in
              --version) echo "checkpost \(version)" ;;
              self-test) echo '{"check":"plate","detail":"Nothing more.","outcome":"\(selfTest)"}' ;;
              status) cat <<'TOLD'
            \(told)
            TOLD
              ;;
              run) \(run) ;;
              update) as=$root/opt/checkpost/versions/as/usr/bin
                mkdir -p $as; ln -f $root/real $as/checkpost; exec $as/checkpost "$@" ;;
            esac
            """
    }

    /// It lives, and writes down that it does.
    static let beats = "echo $$ >>$root/beats; while :; do echo beat >$root/beat; sleep 0.1; done"

    /// - Returns: the path of a package with its signature, whose program is a script that knows `$root`.
    func package(
        _ version: String, script: String, name: String = "checkpost", kilobytes: Int = 4, isSigned: Bool = true,
        in place: String = "packages"
    ) throws -> String {
        let tree = folder["trees/\(UUID().uuidString)"]
        for name in ["DEBIAN", "usr/bin"] {
            try FileManager.default.createDirectory(
                at: tree.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try FileManager.default.createDirectory(at: folder[place], withIntermediateDirectories: true)
        let file = tree.appendingPathComponent("usr/bin/checkpost")
        try Data("#!/bin/sh\nroot=\(root)\n\(script)\n".utf8).write(to: file)
        chmod(file.path, 0o755)
        chmod(tree.appendingPathComponent("DEBIAN").path, 0o755)
        try Data(
            """
            Package: \(name)
            Version: \(version)
            Architecture: all
            Maintainer: test
            Installed-Size: \(kilobytes)
            Description: test

            """.utf8
        ).write(to: tree.appendingPathComponent("DEBIAN/control"))
        let architecture = places.root.isEmpty ? "all" : Self.architecture
        let path = "\(root)/\(place)/\(name)_\(version)_\(architecture).deb"
        let made = try OtherProgram.runAndWait("/usr/bin/dpkg-deb", ["--root-owner-group", "--build", tree.path, path])
        guard made.status == 0 else { throw Failure(description: made.output) }
        if isSigned { try sign(path) }
        return path
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    private static let architecture: String = {
        let said = try? OtherProgram.runAndWait("/usr/bin/dpkg", ["--print-architecture"])
        return said?.output.trimmingCharacters(in: .whitespacesAndNewlines) ?? "amd64"
    }()

    func sign(_ path: String, with other: Curve25519.Signing.PrivateKey? = nil) throws {
        let message = UpdateSignature.message(sha256: try UpdateSignature.sha256(of: path))
        try (other ?? key).signature(for: message).base64EncodedData().write(to: URL(fileURLWithPath: path + ".sig"))
    }

    func checkpost(_ arguments: [String]) async throws -> OtherProgram.Result {
        try await OtherProgram.run(program, arguments, environment: ["OMP_THREAD_LIMIT": "1"], limitSeconds: 120)
    }

    /// Takes a package with a trial of so many seconds.
    func update(_ package: String?, seconds: Double = 2) async throws -> OtherProgram.Result {
        try await checkpost(
            ["update"] + [package].compactMap(\.self) + ["--config", configuration, "--trial-seconds", "\(seconds)"])
    }

    func systemctl(_ arguments: [String]) throws {
        _ = try OtherProgram.runAndWait(root + "/usr/bin/systemctl", arguments)
    }

    /// The service as it is at a boot, with the one that watches an update.
    func boot() throws {
        try systemctl(["start", "checkpost.service"])
        if file.read() != nil { try systemctl(["start", "checkpost-update.service"]) }
    }

    var installedVersion: String {
        let said = try? OtherProgram.runAndWait(
            root + "/usr/bin/dpkg-query", ["--show", "--showformat=${Version}", "checkpost"])
        return said?.output ?? ""
    }

    var servicePID: String? { try? String(contentsOfFile: root + "/service.pid", encoding: .utf8) }

    /// The real program works on the records.
    var oldRecords: Bool { RunLock.isHeld(folder: root + "/data") }

    /// The tried program has said in the last second that it lives.
    var newRecords: Bool {
        var status = stat()
        guard stat(root + "/beat", &status) == 0 else { return false }
        return abs(Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)) < 1.5
    }

    func eventually(_ seconds: Double = 60, _ condition: () throws -> Bool) async throws -> Bool {
        try await TestKit.eventually(seconds, condition)
    }

    /// Ends everything that runs below the folder, at once, as a power cut does.
    func cutPower() {
        for _ in 0..<50 {
            let found = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
                .filter { pid in
                    guard pid != getpid(), let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline")
                    else { return false }
                    return line.range(of: Data(folder.url.lastPathComponent.utf8)) != nil
                }
            if found.isEmpty { break }
            for pid in found { kill(pid, SIGKILL) }
            // Until the kernel has taken them away.
            usleep(10_000)
        }
        for name in ["service.pid", "service.loop", "beat"] { unlink("\(root)/\(name)") }
    }

    /// As it was before any update.
    func reset() throws {
        cutPower()
        try? FileManager.default.removeItem(atPath: root + "/opt")
        try? FileManager.default.removeItem(atPath: root + "/var/lib/dpkg/updates")
        try FileManager.default.createDirectory(
            atPath: root + "/var/lib/dpkg/updates", withIntermediateDirectories: true)
        let old = "\(root)/packages/checkpost_1.0.0_\(Self.architecture).deb"
        let said = try OtherProgram.runAndWait(root + "/usr/bin/dpkg", ["--install", "--force-downgrade", old])
        guard said.status == 0 else { throw Failure(description: said.output) }
        try putRealProgram()
    }
}
