import Testing

@testable import checkpost_server

@Suite("A query", .timeLimit(.minutes(10)))
struct QueryTests {
    @Test func `is decoded as forms are`() throws {
        let query = try QueryString("a=1+2&b=%2B&c&a=%E0%A4%95")
        #expect(query.items.map(\.name) == ["a", "b", "c", "a"])
        #expect(query.items.map(\.value) == ["1 2", "+", "", "क"])
        #expect(throws: APIError.self) { try query.only("a") }
        #expect(try query.only("b") == "+")
        #expect(try query.only("d") == nil)
    }

    @Test(arguments: ["a=%ZZ", "a=%", "a=%FF", "%C0%80=1", Array(repeating: "a=1", count: 61).joined(separator: "&")])
    func `is refused when it isn't encoded or is too long`(text: String) {
        #expect(throws: APIError.self) { try QueryString(text) }
    }

    @Test func `quotes values in lists`() throws {
        #expect(
            try Filter.parameter(column: "a", #"in.("x,y","z\"",w)"#) == .oneOf(column: "a", ["x,y", #"z""#, "w"]))
        #expect(
            try Filter.group(isAny: true, #"(a.eq."1,2",not.and(b.is.null,c.in.(1,2)))"#)
                == .any([
                    .compare(column: "a", .eq, "1,2"),
                    .not(.all([.isTruth(column: "b", .null), .oneOf(column: "c", ["1", "2"])])),
                ]))
    }

    @Test func `keeps dots and commas of a plain value`() throws {
        #expect(try Filter.parameter(column: "a", "eq.1.5,(x)") == .compare(column: "a", .eq, "1.5,(x)"))
    }

    @Test(arguments: ["", "eq", "in.1", "in.(1", "in.(\"1)", "is.maybe", "not.", "not.not", "cs.{1}", "fts.x", "EQ.1"])
    func `is refused with a filter that isn't known`(text: String) {
        #expect(throws: APIError.self) { try Filter.parameter(column: "a", text) }
    }

    @Test func `is refused when it is nested too deeply`() {
        let deep = String(repeating: "(and", count: 50) + "(a.eq.1" + String(repeating: ")", count: 51)
        #expect(throws: APIError.self) { try Filter.group(isAny: false, deep) }
        #expect(throws: APIError.self) { try SelectList("a(b(c(d)))") }
        #expect(throws: Never.self) { try SelectList("a(b(c))") }
    }

    @Test func `writes an array that PostgreSQL reads back`() throws {
        let database = try TestDatabase()
        let values = ["a", "b,c", "{}", "\"", "\\", "NULL", "", "x'; drop table parks; --", "क"]
        let read = try database.owner.run("select unnest($1::text[])", [SQLStatement.array(values)]).rows
        #expect(read == values.map { [$0] })
    }
}
