import GRDB

/// What the database is for one role: passages, the queue, matches and so on. It stands on the store, which opens, reads, writes and tells
/// of changes, and keeps no state of its own.
protocol Table: Sendable {
    var store: Store { get }
}

extension Table {
    func read<T>(_ tried: String, _ work: (Database) throws -> T) throws -> T { try store.read(tried, work) }

    func write<T>(_ tried: String, _ work: (Database) throws -> T) throws -> T { try store.write(tried, work) }
}

extension Store {
    package var accounts: AccountTable { AccountTable(store: self) }
    package var alarms: AlarmTable { AlarmTable(store: self) }
    package var alerts: AlertTable { AlertTable(store: self) }
    package var clock: ClockTable { ClockTable(store: self) }
    package var comparisons: ComparisonTable { ComparisonTable(store: self) }
    package var cursors: CursorTable { CursorTable(store: self) }
    package var dataUse: DataUseTable { DataUseTable(store: self) }
    package var days: DaysTable { DaysTable(store: self) }
    package var deliveries: DeliveryTable { DeliveryTable(store: self) }
    package var evidence: EvidenceTable { EvidenceTable(store: self) }
    package var exemptPlates: ExemptPlateTable { ExemptPlateTable(store: self) }
    package var fetched: FetchedTable { FetchedTable(store: self) }
    package var figures: FigureTable { FigureTable(store: self) }
    package var frames: FrameTable { FrameTable(store: self) }
    package var unwatched: UnwatchedTable { UnwatchedTable(store: self) }
    package var keptTexts: KeptTextTable { KeptTextTable(store: self) }
    package var matches: MatchTable { MatchTable(store: self) }
    package var messages: MessageTable { MessageTable(store: self) }
    package var otherPost: OtherPostTable { OtherPostTable(store: self) }
    package var furtherPassages: FurtherPassageTable { FurtherPassageTable(store: self) }
    package var passages: PassageTable { PassageTable(store: self) }
    package var peers: PeerTable { PeerTable(store: self) }
    package var photos: PhotoTable { PhotoTable(store: self) }
    package var queue: QueueTable { QueueTable(store: self) }
    package var reconciliation: ReconciliationTable { ReconciliationTable(store: self) }
    package var runs: RunTable { RunTable(store: self) }
    package var samples: SampleTable { SampleTable(store: self) }
    package var segments: SegmentTable { SegmentTable(store: self) }
    package var settings: SettingTable { SettingTable(store: self) }
    package var sightings: SightingTable { SightingTable(store: self) }
    package var cameraMasks: CameraMaskTable { CameraMaskTable(store: self) }
    package var listedPlates: ListedPlateTable { ListedPlateTable(store: self) }
    package var offeredUpdates: OfferedUpdateTable { OfferedUpdateTable(store: self) }
    package var wantedPlates: WantedPlateTable { WantedPlateTable(store: self) }
    package var trigger: TriggerTable { TriggerTable(store: self) }
    package var violations: ViolationTable { ViolationTable(store: self) }
}
