// What libFuzzer calls. It is compiled by Tests/Fuzz/run together with the parsers themselves and is no part of the package.
import Foundation
import HTTPTypes
import ParkAPI

/// The first byte chooses the parser, the rest is what it reads. None of them may trap, recurse without bound or take long.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let data = Data(bytes: start + 1, count: count - 1)
    let text = String(decoding: data, as: UTF8.self)
    switch start[0] % 8 {
    case 0:
        if let query = try? ReadQuery(QueryString(text)) { compile(query) }
    case 1:
        _ = try? Filter.group(isAny: false, text)
        _ = try? Filter.parameter(column: "plate_number", text)
    case 2:
        _ = try? SelectList(text)
        _ = try? OrderTerm.list(text)
    case 3:
        if let body = try? WriteBody(data, chosen: nil, usesDefaults: false) {
            let compiler = WriteCompiler(read: ReadCompiler(catalog: catalog, rowLimit: 1000))
            if let table = try? catalog.table("passages") {
                _ = try? compiler.insert(into: table, body, ReadQuery(), Preferences(HTTPFields()))
            }
        }
    case 4:
        _ = MultipartForm.file(in: data, contentType: "multipart/form-data; boundary=x")
        _ = MultipartForm.file(in: Data("--x\r\n\r\n".utf8), contentType: text)
    case 5:
        _ = PhotoStore.Kind(data)
        _ = PhotoStore.Kind(data.dropFirst(1))
    case 6:
        token(data, text)
    default:
        _ = try? SMSDecoder.decode(text)
        _ = try? SignedSMSDecoder.readUnchecked(text)
        _ = PlatePlace(sent: text)?.view
        if let form = try? QueryString(text) {
            _ = TwilioSignature(authToken: "t").isValid(text, url: "https://a/", fields: form.items)
        }
    }
    return 0
}

private let signer = TokenSigner(secret: "a secret of the fuzzer, long enough for HS256")

/// As it is, and as a payload that is signed rightly: nobody gets past the signature by chance.
private func token(_ data: Data, _ text: String) {
    _ = try? signer.caller(text, atEpochSeconds: 0)
    if let claims = try? JSONValue(data).fields,
        let token = try? signer.sign(claims)
    {
        _ = try? signer.caller(token, atEpochSeconds: 0)
    }
}

private func compile(_ query: ReadQuery) {
    guard let table = try? catalog.table("passages") else { return }
    let compiler = ReadCompiler(catalog: catalog, rowLimit: 1000)
    if let statement = try? compiler.rows(of: table, query) {
        precondition(statement.parameters.count < 60_000, "more parameters than PostgreSQL takes")
    }
    _ = try? compiler.count(of: table, query)
}

private let catalog = Catalog(tables: [
    Catalog.Table(
        name: "passages",
        columns: [
            Catalog.Column(name: "id", type: "uuid", isGenerated: false),
            Catalog.Column(name: "a", type: "text", isGenerated: false),
            Catalog.Column(name: "t", type: "timestamp with time zone", isGenerated: false),
            Catalog.Column(name: "b", type: "boolean", isGenerated: false),
        ], primaryKey: ["id"],
        relations: [
            Catalog.Relation(
                constraint: "k", table: "passages", columns: ["id"], otherTable: "passages", otherColumns: ["a"],
                isToMany: true)
        ])
])
