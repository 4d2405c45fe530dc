import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

/// The appliance's side is played here: it holds the lock, and takes the request away when a cycle is done.
@Suite("A cycle that a person asks the running appliance for", .serialized, .timeLimit(.minutes(5)))
struct CycleByHandTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let configuration: Configuration

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
        var configuration = Configuration()
        configuration.dataFolder = folder.url.path
        self.configuration = configuration
    }

    private func byHand(timeoutSeconds: Int = 60) -> CycleByHand {
        CycleByHand(configuration, store: store, timeoutSeconds: timeoutSeconds)
    }

    /// Waits for the request, then does something.
    private func asAppliance(_ act: @Sendable @escaping () throws -> Void) -> Task<Void, any Error> {
        let path = folder.url.path
        return Task {
            while !SyncRequestFile.isThere(folder: path) { try await Task.sleep(for: .milliseconds(10)) }
            try act()
        }
    }

    @Test func `is done when the appliance has taken the request away`() async throws {
        let lock = try RunLock(folder: folder.url.path)
        let path = folder.url.path
        let appliance = asAppliance { SyncRequestFile.remove(folder: path) }
        let (performer, problem) = try await byHand().run()
        try await appliance.value
        withExtendedLifetime(lock) {}
        #expect(performer == .appliance && problem == nil)
    }

    @Test func `ends with the appliance, and leaves no request behind`() async throws {
        final class Appliance: @unchecked Sendable { var lock: RunLock? }
        let running = Appliance()
        running.lock = try RunLock(folder: folder.url.path)
        let appliance = asAppliance { running.lock = nil }
        let (performer, problem) = try await byHand().run()
        try await appliance.value
        #expect(performer == .appliance && problem?.contains("has stopped") == true)
        #expect(!SyncRequestFile.isThere(folder: folder.url.path))
    }

    @Test func `gives up after its time, and says where to look`() async throws {
        let lock = try RunLock(folder: folder.url.path)
        let (_, problem) = try await byHand(timeoutSeconds: 1).run()
        withExtendedLifetime(lock) {}
        #expect(problem?.contains("after 1 s; `checkpost sync`") == true)
    }

    @Test func `has a comparison once the appliance has made one, and not the one before`() async throws {
        let lock = try RunLock(folder: folder.url.path)
        let path = folder.url.path
        try store.comparisons.record(ComparisonRecord(at: BoxClock.now - .hours(1), days: 3, sentAgain: 2))
        let appliance = asAppliance { [store] in
            try store.comparisons.record(ComparisonRecord(at: BoxClock.now, days: 5, sentAgain: 1))
            SyncRequestFile.remove(folder: path)
        }
        let (found, problem) = try await byHand().compare()
        try await appliance.value
        withExtendedLifetime(lock) {}
        #expect(problem == nil && found?.days == 5 && found?.sentAgain == 1)
        #expect(try store.cursors.value(SyncCursor.comparisonRequested) != nil)
    }
}
