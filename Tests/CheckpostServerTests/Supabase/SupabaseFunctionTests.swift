import Foundation
import TestKit
import Testing

@testable import checkpost_server

/// The edge functions under `deploy/server/supabase`, run by Node: Deno is not to be had everywhere.
@Suite("The edge functions for Supabase", .timeLimit(.minutes(10)))
struct SupabaseFunctionTests {
    private static let node = ["/usr/bin/node", "/usr/local/bin/node"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled(if: node != nil, "Node is missing: install the package nodejs"))
    func `call the database in their caller's name, and take texts that are signed as this server has it`() async throws
    {
        let url = "https://park.example.org/functions/v1/sms-webhook"
        let form =
            "From=%2B9779841230000&Body=V1%7CBNP-A%7CBA1PA1234%7CCAR%7C1795255530%7C4321&MessageSid=SM1&%C3%9Fx=%C3%A9+1%2B"
        let signature = try TwilioSignature(authToken: "twilio-token").sign(url: url, fields: QueryString(form).items)
        let result = try await OtherProgram.run(
            try #require(Self.node),
            [
                PostgresCluster.package.appendingPathComponent("Tests/CheckpostServerTests/Supabase/functions.mjs")
                    .path,
                PostgresCluster.package.appendingPathComponent("deploy/server/supabase/functions").path, url, signature,
                form,
            ], limitSeconds: 60)
        #expect(result.status == 0, "\(result.output)")
    }
}
