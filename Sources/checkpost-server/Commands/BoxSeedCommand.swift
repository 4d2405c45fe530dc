import ArgumentParser
import Foundation

struct BoxSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "box-seed", abstract: "Writes what a new box begins with, instead of reading it over its link.",
        discussion: """
            Road, limits, the office's lists, the unmatched passages of the other post, and how far the box has read with that. No account and \
            no secret is in it. At the box: sudo checkpost seed take FILE --key DIGITS, with the digits that are shown here.

            Example: sudo checkpost-server box-seed BNP-B bnp-b.seed
            """)

    @OptionGroup var owner: OwnerOption
    @Argument(help: "The code of the box's checkpost.") var checkpost: String
    @Argument(help: "The file to write.") var file: String

    @Option(help: "Passages of so many hours: what matching looks at, twice, and a day.")
    var hours = 72

    func validate() throws {
        guard (1...720).contains(hours) else { throw ValidationError("--hours is 1 to 720.") }
    }

    func run() throws {
        let made = try BoxSeed(post: checkpost, hours: hours).make(owner.connection())
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(made.text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw Settings.Mistake(description: "\(file) can't be written.") }
        print("\(file): for \(checkpost), \(made.passages) passages, \(made.text.utf8.count) bytes.")
        print("Signed with \(made.key.prefix(16)): the box asks for these digits.")
    }
}
