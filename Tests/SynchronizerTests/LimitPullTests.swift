import Enforcement
import ParkAPI
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("Limits that the server tells", .timeLimit(.minutes(5)))
struct LimitPullTests {
    @Test
    func `takes over limits of vehicle types and the certificate of the distance, and says when they make no sense`()
        throws
    {
        let rig = try Rig()
        func speeds() throws -> TypeSpeeds? { try rig.store.segments.segment(ofCheckpost: "BNP-A")?.segment.typeSpeeds }
        try rig.run()
        #expect(try speeds() == TypeSpeeds())
        rig.server.change(
            id: ParkServer.segment,
            [SegmentColumn.typeSpeedsKmh: ["truck": 30, "hovercraft": 90], .distanceCertificate: "NBSM 2081-117"])
        try rig.run(for: .hours(1))
        #expect(try speeds() == TypeSpeeds([.truck: 30]))
        let segment = try rig.store.segments.segment(ofCheckpost: "BNP-A")?.segment
        #expect(segment?.distanceCertificate == "NBSM 2081-117")
        rig.server.change(id: ParkServer.segment, [SegmentColumn.typeSpeedsKmh: ["truck": 5]])
        try rig.run(for: .hours(1))
        #expect(try speeds() == TypeSpeeds([.truck: 30]))
        #expect(try rig.store.runs.list().contains { $0.failure?.contains("highest speed of a truck") == true })
    }

    @Test func `takes over limits by hours, and says when they make no sense`() throws {
        let rig = try Rig()
        func hours() throws -> HourLimits? { try rig.store.segments.hours(ofCheckpost: "BNP-A")?.limits }
        try rig.run()
        #expect(try hours() == HourLimits())
        func set(_ kmh: Int) {
            rig.server.change(
                id: ParkServer.segment,
                [SegmentColumn.hourLimits: [["from": "22:00", "until": "05:00", "kmh": kmh] as [String: Any]]])
        }
        set(30)
        try rig.run(for: .hours(1))
        #expect(try hours() == HourLimits(typed: "22:00-05:00 30"))
        set(5)
        try rig.run(for: .hours(1))
        #expect(try hours() == HourLimits(typed: "22:00-05:00 30"))
        #expect(try rig.store.runs.list().contains { $0.failure?.contains("highest speed of 22:00-05:00") == true })
    }
}
