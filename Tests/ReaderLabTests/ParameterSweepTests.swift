import Foundation
import Recognition
import Testing

@testable import ReaderLab

@Suite("A sweep over a parameter", .timeLimit(.minutes(5)))
struct ParameterSweepTests {
    private let parameters: ReaderParameters

    init() throws {
        parameters = try ModelFolder.parameters(given: Places.models)
    }

    @Test func `takes even steps, and the value in use with them`() throws {
        let sweep = try ParameterSweep("cascade.cut_confidence", from: 0.1, to: 0.5, count: 5, parameters: parameters)
        #expect(sweep.variants.map(\.value) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        #expect(sweep.variants.map(\.parameters.cascade.cutConfidence) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    }

    @Test func `of a whole number takes whole steps, each once`() throws {
        let sweep = try ParameterSweep("scripts.latin.lines", from: 1, to: 4, count: 7, parameters: parameters)
        #expect(sweep.variants.map(\.parameters.scripts.latin.lines) == [1, 2, 3, 4, 22])
    }

    @Test func `refuses a name that no parameter has, and a value that none may have`() {
        #expect(throws: ReaderParameters.Failure.unknown("cascade.courage")) {
            try ParameterSweep("cascade.courage", from: 0, to: 1, count: 2, parameters: parameters)
        }
        #expect(throws: ReaderParameters.Failure.outside("cascade.cut_confidence", 0...1)) {
            try ParameterSweep("cascade.cut_confidence", from: 0, to: 2, count: 2, parameters: parameters)
        }
    }

    @Test func `counts right, wrong and silent, and a picture without a plate`() {
        var answers = AnswerTally()
        answers.add("KLT4829", truths: ["KLT4829"])
        answers.add("KLT4820", truths: ["KLT4829"])
        answers.add("KLT4829", truths: [])
        answers.add(nil, truths: [])
        answers.add(nil, truths: ["KLT4829"])
        #expect(answers == AnswerTally(right: 2, wrong: 2, silent: 1) && answers.count == 5)
    }
}
