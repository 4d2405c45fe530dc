import Enforcement
import Foundation
import MachineClock
import TestKit
import Testing

/// A machine whose clock a test sets, and whose disk it lets fail, for the programs that are started with its ``environment``: a library
/// that is loaded before the program's own answers in the kernel's place.
///
/// Only what the machine says of the time of day is bent. The time since its start runs on, as it does when a clock is set.
final class BentMachine: @unchecked Sendable {
    // Written by the test alone; the programs read it.
    private let state: UnsafeMutableRawPointer
    private let library: String
    private let file: String
    private let disk: String

    private static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/opt/swift/usr/bin/clang"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static var isPossible: Bool { compiler != nil }

    /// - Parameter disk: what stands in the paths that lie on the disk which may fail.
    init(in folder: TemporaryFolder, disk: [String]) throws {
        let source = Checkout.root.appendingPathComponent("Tests/CheckpostTests/Machine/bent.c")
        library = folder["bent.so"].path
        let compiled = try OtherProgram.runAndWait(
            try #require(Self.compiler), ["-shared", "-fPIC", "-O1", "-o", library, source.path, "-ldl"],
            limitSeconds: 120)
        try #require(compiled.status == 0, "\(compiled.output)")
        file = folder["bent"].path
        try Data(count: 16).write(to: folder["bent"])
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let mapped = mmap(nil, 16, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        state = try #require(mapped == MAP_FAILED ? nil : mapped)
        self.disk = disk.joined(separator: ":")
    }

    deinit { munmap(state, 16) }

    var environment: [String: String] {
        ["LD_PRELOAD": library, "CHECKPOST_TEST_MACHINE": file, "CHECKPOST_TEST_DISK": disk]
    }

    /// How far its clock is ahead of the true one.
    var ahead: TimeSpan {
        get { .milliseconds(state.load(as: Int64.self)) }
        set { state.storeBytes(of: Int64(newValue.seconds * 1000), as: Int64.self) }
    }

    /// Whether its kernel says that a time service keeps the clock right.
    var isSynchronised: Bool {
        get { state.load(fromByteOffset: 8, as: Int32.self) == 0 }
        set { state.storeBytes(of: newValue ? 0 : 1, toByteOffset: 8, as: Int32.self) }
    }

    /// What writing to its disk fails with: `EIO`, or `EROFS` for one that is mounted to be read only; 0 for nothing.
    var diskError: Int32 {
        get { state.load(fromByteOffset: 12, as: Int32.self) }
        set { state.storeBytes(of: newValue, toByteOffset: 12, as: Int32.self) }
    }

    /// The time of day by its clock.
    var now: Instant { MachineClock.now + ahead }
}
