import Enforcement
import Foundation
import ParkAPI
import TestKit
import Testing

@Suite("The box's side of the contract, by the cases that the server is held to as well", .timeLimit(.minutes(5)))
struct ContractTests {
    @Test func `reads texts alike, and writes none that is refused`() throws {
        let texts = try Contract.texts()
        #expect(texts.cases.count >= 37)
        for example in texts.cases {
            let passage = try? SMSDecoder.decode(example.text)
            let reading = passage.map {
                Contract.Reading(
                    plate: $0.compactPlate, type: $0.vehicleType.rawValue, seconds: $0.recordedAt.epochSeconds)
            }
            #expect(reading == example.read, "\(example.name)")
            if let passage { #expect(throws: Never.self) { try SMSEncoder.encode(passage) } }
        }
        let codes = Set(texts.cases.compactMap(\.read?.type))
        #expect(codes == Set(VehicleType.allCases.map(\.rawValue)))
    }

    @Test func `reads signed texts alike, and writes them as they were`() throws {
        let contract = try Contract.signedTexts()
        let key = try #require(TextKey(number: 1, secret: Secret(contract.key), lastTextNumber: 0))
        #expect(contract.cases.count >= 45)
        for example in contract.cases {
            let text = try? SignedSMSDecoder.decode(example.text, keys: [key])
            let read = try text.map { text in
                try zip(text.passages, text.entries).map {
                    Contract.SignedReading(v1: try SMSEncoder.encode($0), clock: $1.clock.rawValue)
                }
            }
            #expect(read == example.read, "\(example.name)")
            guard let text else { continue }
            #expect(try SignedSMSEncoder.encode(text, key: key) == SMSDecoder.trimmed(example.text), "\(example.name)")
        }
    }

    private static func reading(_ question: PostQuestion) -> Contract.Questions.Question.Reading {
        switch question.wish {
        case .status: .init(number: question.number, wish: "status")
        case .texts(let numbers):
            .init(number: question.number, wish: "texts", first: numbers.lowerBound, last: numbers.upperBound)
        }
    }

    @Test func `reads questions by SMS and their answers alike`() throws {
        let contract = try Contract.questions()
        let key = try #require(TextKey(number: 1, secret: Secret(contract.key), lastTextNumber: 0))
        #expect(contract.questions.count >= 19 && contract.answers.count >= 12)
        for example in contract.questions {
            let read = (try? PostQuestion.read(example.text, key: key)).map(Self.reading)
            #expect(read == example.read, "\(example.name)")
        }
        for example in contract.answers {
            let answer = try? PostAnswer.readUnchecked(example.text)
            if let answer, answer.facts.count == example.text.count(where: { $0 == "." }) - 3 {
                let isWritten = answer.text(key: key) == example.text
                #expect(isWritten == (example.read != nil), "\(example.name)")
            }
            guard let wanted = example.read else { continue }
            let facts = answer?.facts.map { (String($0.key.rawValue), $0.value) } ?? []
            #expect(
                Contract.Questions.Answer.Reading(
                    number: answer?.number ?? 0, facts: Dictionary(uniqueKeysWithValues: facts)) == wanted,
                "\(example.name)")
        }
    }

    @Test func `keeps the same telephone numbers of accounts`() throws {
        for example in try Contract.phones().cases {
            #expect((try? AccountPhone(example.typed))?.description == example.kept, "\(example.typed)")
        }
        #expect((#expect(throws: AccountPhone.Mistake.self) { try AccountPhone("081525123") })?.isNumber == true)
        #expect((#expect(throws: AccountPhone.Mistake.self) { try AccountPhone("call me") })?.isNumber == false)
    }

    @Test func `computes the same ids`() throws {
        let ids = try Contract.ids()
        #expect(ids.texts.count >= 3 && ids.names.count >= 4)
        for example in ids.texts {
            #expect(SMSEncoder.clientID(of: SMSDecoder.trimmed(example.sent)).sent == example.id, "\(example.text)")
            #expect(SMSDecoder.trimmed(example.sent) == example.text)
        }
        let dns = try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        for example in ids.names {
            #expect(UUIDv5.make(namespace: dns, name: example.name).sent == example.id, "\(example.name)")
        }
    }

    private func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> Set<String>
    where Word.RawValue == String {
        Set(Word.allCases.map(\.rawValue))
    }

    @Test func `has the server's words and no others`() throws {
        let columns = try Contract.columns()
        func said<Column: TableColumn>(_ column: Column) -> Set<String>? {
            columns.words(Column.table.rawValue, column.rawValue)
        }
        #expect(said(PassageColumn.vehicleType) == words(VehicleType.self))
        #expect(said(PassageColumn.source) == words(PassageSource.self))
        #expect(said(PassageColumn.clockState) == words(ClockState.self))
        #expect(said(PassageColumn.travel) == words(Travel.self))
        #expect(said(ViolationColumn.kind) == words(Violation.Kind.self))
        #expect(said(OutcomeColumn.kind) == words(Outcome.Kind.self))
        #expect(said(ChangeColumn.kind) == words(ChangeKind.self))
        #expect(said(ProfileColumn.role) == words(AccountRole.self))
        #expect(said(ListedPlateColumn.kind) == words(ListedPlate.Kind.self))
        #expect(columns.words.count == 9)
    }

    @Test func `cuts texts where the server's checks end`() throws {
        let columns = try Contract.columns()
        func most<Column: TableColumn>(_ column: Column) -> Int? {
            columns.most(Column.table.rawValue, column.rawValue)
        }
        #expect(most(PassageColumn.plateRaw) == ContractLimits.plateRaw)
        #expect(most(PassageColumn.actedBy) == ContractLimits.actedBy)
        #expect(most(OutcomeColumn.notes) == ContractLimits.notes)
        #expect(most(OutcomeColumn.actedBy) == ContractLimits.actedBy)
        #expect(most(AlertColumn.resolvedReason) == ContractLimits.reason)
        #expect(columns.most(Table.passageChanges.rawValue, "reason") == ContractLimits.reason)
        #expect(most(RunColumn.error) == ContractLimits.runError)
        #expect(most(ReviewColumn.waiting) == OtherPost.Reviews.most)
        #expect(most(ListedPlateColumn.reason) == ContractLimits.listReason)
        #expect(columns.lengths.count == 9)
    }

    @Test func `knows the same plates as the server`() throws {
        // What is longer, nothing here makes.
        #expect(ContractLimits.plate.upperBound == PlateNormalizer.maximumCompactLength)
        for example in try Contract.columns().plates {
            let compact = Plate(told: example.sent)?.compact ?? ""
            let isPlate =
                ContractLimits.plate.contains(compact.count)
                && compact.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == Plate.gap) }
            #expect(isPlate == example.is_taken, "\(example.sent)")
        }
    }
}
