import Foundation
import Testing

@testable import Recognition

@Suite("The reader's parameters", .timeLimit(.minutes(10)))
struct ReaderParametersTests {
    private let shipped = URL(fileURLWithPath: Places.models).appendingPathComponent(ReaderParameters.fileName)

    /// The shipped file with a piece of its text exchanged.
    private func changed(_ piece: String, to other: String) throws -> Data {
        let text = try String(contentsOf: shipped, encoding: .utf8)
        try #require(text.contains(piece))
        return Data(text.replacingOccurrences(of: piece, with: other).utf8)
    }

    @Test func `each number of the file has its name, and each can be changed by it`() throws {
        let parameters = Places.parameters
        #expect(parameters.numbers.count > 60)
        #expect(parameters.numbers.contains(.init(name: "cascade.sure_confidence", value: 0.8)))
        #expect(parameters.numbers.contains(.init(name: "scripts.latin.row.even.stroke", value: 2)))
        for number in parameters.numbers {
            #expect(try parameters.setting(number.name, to: number.value) == parameters, "\(number.name)")
            let other = ReaderParameters.range(of: number.name).lowerBound
            guard other != number.value else { continue }
            let set = try parameters.setting(number.name, to: other).numbers
            #expect(set.filter { !parameters.numbers.contains($0) }.map(\.name) == [number.name])
            // A half is within every range, and no number of lines or pixels.
            let half = Result { () throws(ReaderParameters.Failure) in try parameters.setting(number.name, to: 0.5) }
            if case .failure(let failure) = half {
                #expect(failure == .unfit(number.name) && ReaderParameters.isWhole(number.name))
            } else {
                #expect(!ReaderParameters.isWhole(number.name))
            }
        }
    }

    @Test func `a parameter that is missing, unknown or absurd is named`() throws {
        func failure(_ data: Data) -> ReaderParameters.Failure? {
            do throws(ReaderParameters.Failure) {
                _ = try ReaderParameters(data)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure(try Data(contentsOf: shipped)) == nil)
        #expect(failure(Data("cut off".utf8)) == .notJSON)
        #expect(failure(try Data(contentsOf: shipped).prefix(900)) == .notJSON)
        #expect(failure(try changed("\"version\": 1", to: "\"version\": 2")) == .otherVersion(2))
        #expect(
            failure(try changed("\"sure_confidence\": 0.8,", to: "")) == .missing("cascade.sure_confidence"))
        #expect(
            failure(try changed("\"sure_confidence\": 0.8", to: "\"sure_confidence\": \"much\""))
                == .unfit("cascade.sure_confidence"))
        #expect(
            failure(try changed("\"sure_confidence\": 0.8", to: "\"sure_confidence\": 8"))
                == .outside("cascade.sure_confidence", 0...1))
        #expect(
            failure(try changed("\"sure_confidence\"", to: "\"bold_confidence\": 1, \"sure_confidence\""))
                == .unknown("cascade.bold_confidence"))
        #expect(failure(try changed("\"lines\": 22", to: "\"lines\": 22.5")) == .unfit("scripts.latin.lines"))
        // Beyond the crop's middle there is nothing to reach.
        #expect(
            failure(try changed("\"reach_px\": 20", to: "\"reach_px\": 34"))
                == .outside("scripts.latin.row.reach_px", 0...33))
        #expect(throws: ReaderParameters.Failure.unknown("cascade.courage")) {
            try Places.parameters.setting("cascade.courage", to: 1)
        }
        #expect(throws: ReaderParameters.Failure.unfit("scripts.latin.lines")) {
            try Places.parameters.setting("scripts.latin.lines", to: 7.5)
        }
    }

    @Test func `without them, or with a damaged file, nothing is read, and the error says what to do`() throws {
        let models = try ModelsCopy()
        let file = models[ReaderParameters.fileName]
        try Data("{}".utf8).write(to: file)
        #expect { try PlateRecognizer(models: models.path) } throws: { error in
            "\(error)".contains("reader.json can't be used: ") && "\(error)".contains("Take the file that came with")
        }
        try FileManager.default.removeItem(at: file)
        #expect(throws: ModelError.missingParameters(searched: [models.path])) {
            try PlateRecognizer(models: models.path)
        }
        #expect("\(ModelError.missingParameters(searched: [models.path]))".contains("Put the one there"))
    }

    @Test func `a parameter changes what is read`() throws {
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_brazil_car.jpg"))
        let usual = try PlateRecognizer(models: Places.models).recognize(picture).readings
        #expect(usual.first?.plate.compact == "KLT4829")
        let strict = try Places.parameters.setting("cascade.minimum_confidence", to: 1)
        #expect(try PlateRecognizer(models: Places.models, parameters: strict).recognize(picture).readings.isEmpty)
        let modest = try Places.parameters.setting("evidence.intercept", to: -39)
        let less = try PlateRecognizer(models: Places.models, parameters: modest).recognize(picture).readings
        #expect(try #require(less.first).confidence < #require(usual.first).confidence)
    }

    @Test func `says the models that they were measured with: those that are shipped`() throws {
        let shelf = try ModelShelf(folder: Places.models)
        let own = try #require(shelf.used(ModelShelf.parametersName))
        #expect(shelf.strangers(to: own) == [])
        #expect(Set(try #require(own.madeFor).keys) == Set(ModelShelf.names).subtracting([own.name]))
    }
}
