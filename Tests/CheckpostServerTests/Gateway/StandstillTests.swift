import Enforcement
import Foundation
import Testing

@testable import checkpost_server

@Suite("A database that stands still", .serialized, .timeLimit(.minutes(5)))
struct StandstillTests {
    @Test func `keeps nobody waiting for ever, and is asked again once it goes on`() async throws {
        let database = try TestDatabase()
        var configuration = PostgresPool.Configuration(url: Secret(database.gatewayURL))
        configuration.size = 1
        configuration.waitLimitSeconds = 1
        configuration.statementTimeoutSeconds = 1
        let pool = PostgresPool(configuration)
        defer { pool.close() }
        let text = try await pool.run { try $0.run("select pg_backend_pid()").scalar }
        let process = try #require(text.flatMap(pid_t.init))
        // As on a disk that answers nothing: no signal of ours is heard either.
        #expect(kill(process, SIGSTOP) == 0)
        defer { kill(process, SIGCONT) }
        let asked = Task { try await pool.run { try $0.run("select 1").scalar } }
        // Nothing tells from outside when the connection is taken; too early, the other one would wait for its second.
        try await Task.sleep(for: .milliseconds(100))
        // The one connection is taken: who waits behind it is told before it comes free.
        await #expect(throws: PostgresPool.Overload.self) { try await pool.run { _ in } }
        await #expect {
            _ = try await asked.value
        } throws: { error in
            "\(error)".contains("the database does not answer")
        }
        #expect(try await pool.run { try $0.run("select 2").scalar } == "2", "on a connection of its own")
    }
}
