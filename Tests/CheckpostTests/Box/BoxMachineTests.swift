import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

@Suite("A disk that came from another machine", .timeLimit(.minutes(10)))
struct BoxMachineTests {
    private let folder: TemporaryFolder
    private let other = MachineIdentity(traits: ["mac:02:00:00:00:00:01", "serial:another"])

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ path: String) throws {
        let url = folder["root" + path]
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private var read: MachineIdentity { .read(root: folder["root"].path) }

    @Test func `is known by serial number and built-in addresses, and by the installation only without them`() throws {
        #expect(read.traits.isEmpty)
        try write("3D1219C7\n", "/etc/machine-id")
        #expect(read.traits == ["installation:3d1219c7"])
        try write("10000000a1b2c3d4\0", "/sys/firmware/devicetree/base/serial-number")
        for (name, address, assigned, isReal) in [
            ("eth0", "DC:A6:32:01:02:03", "0", true), ("wlan0", "dc:a6:32:01:02:04", "0", true),
            ("usb0", "9e:00:00:00:00:01", "1", true), ("lo", "00:00:00:00:00:00", "0", true),
            ("veth1", "02:42:00:00:00:01", "0", false),
        ] {
            try write(address + "\n", "/sys/class/net/\(name)/address")
            try write(assigned + "\n", "/sys/class/net/\(name)/addr_assign_type")
            if isReal { try write("", "/sys/class/net/\(name)/device/uevent") }
        }
        #expect(read.traits == ["serial:10000000a1b2c3d4", "mac:dc:a6:32:01:02:03", "mac:dc:a6:32:01:02:04"])
    }

    @Test func `sends nothing before somebody says that it is the box, and a restored backup says so`() throws {
        let store = try Store(path: folder["checkpost.sqlite"].path)
        defer { try? store.close() }
        let (one, two) = (MachineIdentity(traits: ["mac:1", "mac:2"]), MachineIdentity(traits: ["mac:2", "mac:3"]))
        #expect(try BoxMachine(store, machine: one).obstacle() == nil)
        #expect(try BoxMachine(store, machine: two).obstacle() == nil, "an adapter was changed")
        #expect(try store.machine.recorded() == two)
        let obstacle = try #require(try BoxMachine(store, machine: other).obstacle())
        #expect(obstacle.description.contains("another machine") && obstacle.hint.contains("sync --adopt"))
        #expect(try store.machine.recorded() == two, "asking changes nothing")
        try BoxMachine(store, machine: other).adopt()
        #expect(try BoxMachine(store, machine: other).obstacle() == nil)
        #expect(try BoxMachine(store, machine: two).obstacle() != nil)
        try store.beginAnewFromBackup(at: BoxClock.now)
        #expect(try BoxMachine(store, machine: two).obstacle() == nil)
    }

    @Test(.enabled(if: !MachineIdentity.read().traits.isEmpty, "nothing tells this machine from another"))
    func `records on, says what to do, and sends again once it was told`() async throws {
        let box = try RunningAppliance()
        try FileManager.default.createDirectory(at: box.folder["data"], withIntermediateDirectories: true)
        try box.opened().machine.record(other)
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        func alarm() throws -> Alarm? { try box.opened().alarms.list().first { $0.key == "machine" } }
        #expect(try await box.eventually { try alarm()?.severity == .critical }, "\(box.log)")
        for frame in try RunningAppliance.frames().prefix(8) { try box.arrive(frame) }
        #expect(try await box.eventually { try box.opened().figures.now().passages >= 1 }, "\(box.log)")
        let config = ["--config", box.configuration.path]
        let refused = try await Program.run(["sync", "--now"] + config)
        #expect(refused.status == 1 && refused.errors.contains("another machine"), "\(refused.errors)")
        #expect(try box.opened().cursors.value(SyncCursor.linkLastSuccess) == nil)
        let adopted = try await Program.run(["sync", "--adopt"] + config)
        #expect(adopted.status == 0 && adopted.output.contains("is the box of BNP-A now"), "\(adopted.errors)")
        #expect(try await box.eventually { try alarm() == nil }, "\(box.log)")
        #expect(try await box.eventually { StatusBoard.read(folder: box.folder["data"].path)?.link != nil })
        #expect(try await box.stop().left.isEmpty)
    }
}
