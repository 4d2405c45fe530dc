import Testing
@testable import checkpost_server
@Test func x() {}
