import Foundation
import Testing

@testable import checkpost_server

/// Against the examples that Amazon publishes with Signature Version 4 for S3.
@Suite("A signed request for a storage", .timeLimit(.minutes(5)))
struct S3SignatureTests {
    private let signature = S3Signature(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")
    /// 2013-05-24T00:00:00Z
    private let moment = Date(timeIntervalSince1970: 1_369_353_600)
    private let nothing = S3Signature.hash(Data())

    private func signed(
        _ method: String, _ path: String, _ query: [(String, String)] = [], _ more: [String: String] = [:],
        body: String = ""
    ) -> [String: String] {
        signature.signed(
            method, path, query: query, fields: more.merging(["host": "examplebucket.s3.amazonaws.com"]) { $1 },
            bodyHash: S3Signature.hash(Data(body.utf8)), at: moment)
    }

    @Test func `of an object is the published one`() {
        let fields = signed("GET", "/test.txt", [], ["range": "bytes=0-9"])
        #expect(
            fields["authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(fields["x-amz-date"] == "20130524T000000Z" && fields["x-amz-content-sha256"] == nothing)
    }

    @Test func `of what is stored is the published one`() {
        let fields = signed(
            "PUT", "/" + S3Signature.escaped("test$file.text"), [],
            ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            body: "Welcome to Amazon S3.")
        #expect(
            fields["authorization"]?.hasSuffix(
                "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd") == true)
    }

    @Test func `of a list is the published one, in whatever order it is asked`() {
        for query in [[("max-keys", "2"), ("prefix", "J")], [("prefix", "J"), ("max-keys", "2")]] {
            #expect(
                signed("GET", "/", query)["authorization"]?.hasSuffix(
                    "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7") == true)
        }
        #expect(
            signed("GET", "/", [("lifecycle", "")])["authorization"]?.hasSuffix(
                "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543") == true)
    }

    @Test func `encodes what is no letter, digit or one of four signs`() {
        #expect(S3Signature.escaped("a/b c+é~", keeping: "/") == "a/b%20c%2B%C3%A9~")
        #expect(S3Signature.query([("b", "x/y"), ("a", "1 2"), ("A", "")]) == "A=&a=1%202&b=x%2Fy")
    }
}
