import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The public Python client for Supabase", .timeLimit(.minutes(10)))
struct PublicClientTests {
    /// Needs Python with venv, and the network the first time; CHECKPOST_OFFLINE=1 leaves it out where there is none.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CHECKPOST_OFFLINE"] == nil))
    func `works unchanged`() async throws {
        try await TestServer.run { server, _ in
            let script = PostgresCluster.package.appendingPathComponent("Tests/CheckpostServerTests/Client/run").path
            let result = try await OtherProgram.run(
                script,
                environment: [
                    "SUPABASE_URL": "http://127.0.0.1:\(server.port)", "SUPABASE_ANON_KEY": server.anonKey,
                    "SUPABASE_SERVICE_ROLE_KEY": server.serviceKey,
                ])
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.contains("the public client is content"))
        }
    }
}
