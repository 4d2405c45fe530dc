import Foundation
import Testing

@testable import Enforcement

@Suite("A passage that comes back from the server", .timeLimit(.minutes(5)))
struct RestoredStandingTests {
    private let noon = Instant(milliseconds: 1_795_255_200_000)
    private let old = UUID()
    private let plate = Plate(canonical: "BA 1 PA 1234")

    private func restored(_ photo: String? = nil) -> RestoredPassage {
        RestoredPassage(
            passage: Passage(
                clientID: UUID(), plate: Plate(canonical: "BA1PA1234"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-A", recordedAt: noon, clockState: .synchronised, origin: .camera),
            serverID: UUID(), smsClientID: nil, photoPath: photo)
    }

    private func entry(_ status: QueueStatus, of passage: UUID? = nil, refused: Bool = false) -> QueueEntry {
        QueueEntry(
            id: 1, passageClientID: passage ?? old, status: status, attempts: 3, lastError: refused ? "no" : nil,
            isRefused: refused, createdAt: noon)
    }

    private func twin(
        _ status: QueueStatus = .pending, plate: String = "BA 1 PA 1234", force: OwnStanding.Force = .inForce,
        at server: UUID? = nil, refused: Bool = false, corrected: Int64? = nil
    ) -> RestoredStanding {
        RestoredStanding(
            twin: OwnStanding(
                clientID: old, plate: Plate(canonical: plate), force: force, serverID: server,
                entries: [entry(status, refused: refused)], lastCorrection: corrected))
    }

    @Test func `is put on record, or known, or the one that was recorded again, a line a step`() {
        let back = restored()
        let photographed = restored("photo.jpg")
        let new = [ReconciliationAction.putOnRecord(back)]
        func same(_ back: RestoredPassage) -> [ReconciliationAction] {
            [.takeIDs(of: back, passage: old), .write(entry(.synced, of: back.passage.clientID))]
        }
        let steps: [(name: String, here: RestoredStanding, back: RestoredPassage, actions: [ReconciliationAction])] = [
            ("nothing like it", RestoredStanding(), back, new),
            ("known", RestoredStanding(isKnown: true), back, []),
            ("recorded again, and waiting", twin(), back, same(back)),
            ("recorded again, and refused", twin(.failed, refused: true), back, same(back)),
            (
                "recorded again, with a photo there", twin(), photographed,
                same(photographed) + [.markPhotoUploaded(passage: photographed.passage.clientID)]
            ),
            ("recorded again, and sent", twin(.synced), back, new),
            ("recorded again, and told", twin(at: UUID()), back, new),
            ("recorded again, and withdrawn", twin(force: .withdrawn), back, new),
            ("recorded again, and corrected here", twin(plate: "BA 1 PA 9", corrected: 7), back, same(back)),
            (
                "recorded again, and corrected there before", twin(plate: "BA 1 PA 9"), back,
                [
                    .note(
                        Amendment(
                            oldPlate: Plate(canonical: "BA 1 PA 9"), newPlate: back.passage.plate,
                            reason: "corrected at the server", actor: Amendment.warden), passage: old,
                        isToldToServer: false), .setPlate(back.passage.plate, passage: old),
                ] + same(back)
            ),
        ]
        for step in steps { #expect(step.here.handle(step.back) == step.actions, "\(step.name)") }
    }

    @Test func `that a text alone told of is the one that was withdrawn here, and the server is told`() {
        var back = restored()
        back.smsClientID = back.passage.clientID
        var here = twin(force: .withdrawn, corrected: 7)
        var withdrawal = entry(.synced)
        (withdrawal.id, withdrawal.entity, withdrawal.subjectID) = (2, .correction, 7)
        here.twin?.entries.append(withdrawal)
        var told = withdrawal.inLineAgain()
        told.passageClientID = back.passage.clientID
        let settled = ReconciliationAction.write(entry(.synced, of: back.passage.clientID))
        #expect(here.handle(back) == [.takeIDs(of: back, passage: old), settled, .write(told)])
        here.twin?.serverID = UUID()
        #expect(here.handle(back) == [.putOnRecord(back)], "the server has the one that was withdrawn")
    }

    @Test func `is sent once more where it went as a text that the server's row knows nothing of`() {
        var (here, back) = (twin(.failed), restored())
        here.twinText = UUID()
        guard case .write(let entry) = here.handle(back).last else {
            Issue.record("nothing is written")
            return
        }
        #expect(entry.status == .pending && entry.passageClientID == back.passage.clientID)
        back.smsClientID = here.twinText
        guard case .write(let known) = here.handle(back).last else {
            Issue.record("nothing is written")
            return
        }
        #expect(known.status == .synced, "it names it already")
    }
}
