import Foundation
import TestKit

extension Dialogue {
    /// A modem with a SIM and a network that takes every text. What stands before these rules goes first.
    static let readyText =
        ready + """
            on AT+CSCA?
              < +CSCA: "+9779851028801",145
              < OK
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
            """

    /// The dialogue in a file of `Dialogues`.
    init(named name: String) throws {
        guard let url = Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Dialogues") else {
            throw FormatError(description: "There is no dialogue \(name)")
        }
        try self.init(text: String(contentsOf: url, encoding: .utf8))
    }
}
