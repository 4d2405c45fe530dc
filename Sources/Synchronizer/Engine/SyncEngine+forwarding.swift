import Enforcement
import Foundation
import ParkAPI
import Storage

extension SyncEngine {
    typealias Call = FunctionCall
    var server: SyncServer { context.server }
    var random: () -> Double { context.random }
    var tokens: SyncTokens? { context.session.tokens }
    var counts: CycleCounts {
        get { context.counts }
        set { context.counts = newValue }
    }
    var place: Place? {
        get { context.place }
        set { context.place = newValue }
    }
    var dialect: ServerDialect? {
        get { context.dialect }
        set { context.dialect = newValue }
    }
    var chosenDialect: ServerDialect { get throws { try context.chosenDialect } }
    var ownCheckpost: UUID? { context.ownCheckpost }
    func exchange(_ request: SyncRequest) throws -> ServerExchange { try context.exchange(request) }
    func exchange(_ call: FunctionCall) throws -> ServerExchange { try context.exchange(call) }
    func rows<Column, Row: Decodable>(_ query: RowQuery<Column>, _ type: Row.Type = Row.self) throws -> [Row] {
        try context.rows(query, type)
    }
    func usableRows<Column, Row: Decodable>(
        _ query: RowQuery<Column>, _ type: Row.Type = Row.self
    ) throws -> (rows: [Row], unreadable: Int) { try context.usableRows(query, type) }
    func readable<Result>(_ read: () throws(SenselessAnswer) -> Result) throws(CycleEnd) -> Result {
        try context.readable(read)
    }
    func askForVerdict(_ request: SyncRequest) throws -> (Verdict, ServerAnswer?) { try context.askForVerdict(request) }
    func askForVerdict(_ call: FunctionCall) throws -> (Verdict, ServerAnswer?) { try context.askForVerdict(call) }
    func learnedWhether(_ ability: ServerDialect.Ability) throws -> Bool { try context.learnedWhether(ability) }
    func accountProblem() throws -> String? { try context.accountProblem() }
    func numbers<Column: NumberedColumn>(of marks: [SyncCursor], in column: Column.Type) throws -> [UUID: Int64] {
        try context.numbers(of: marks, in: column)
    }
}
