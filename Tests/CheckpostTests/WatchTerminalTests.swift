import Foundation
import Testing

@Suite("The console as text, in a terminal", .enabled(if: Tmux.isThere), .serialized, .timeLimit(.minutes(15)))
struct WatchTerminalTests {
    @Test(arguments: [(80, 24), (160, 50)])
    func `lets a ranger work through a day, a lost connection and a resize`(width: Int, height: Int) async throws {
        let box = try await ConsoleBox()
        try await box.bringInOtherPost()
        try await box.start()
        let terminal = try await Tmux(
            [
                "env", "OMP_THREAD_LIMIT=1", Checkout.program.path, "watch", "--user", "tek", "--config",
                box.configuration.path,
            ], width: width, height: height, folder: box.folder)
        try await terminal.wait(for: "password:")
        try terminal.type(ConsoleBox.password)
        try terminal.press("Enter")
        try await terminal.wait(for: "LAST PASSAGES")
        #expect(!terminal.screen.contains(ConsoleBox.password))
        #expect(terminal.lines[height - 1].contains("q quit"), "the last line has the keys")
        try await review(terminal)
        try await alert(terminal, box)
        try await search(terminal)
        try await lose(terminal, box)
        try terminal.resize(width: 100, height: 30)
        try await ConsoleBox.wait("the last line to be at the new bottom") {
            terminal.lines.count >= 30 && terminal.lines[29].contains("q quit")
        }
        #expect(terminal.lines.filter { $0.contains("q quit") }.count == 1, "nothing of the old size is left")
        try terminal.resize(width: 60, height: 12)
        try await ConsoleBox.wait("a small screen") {
            terminal.lines.count >= 12 && terminal.lines[11].contains("record")
        }
        try terminal.press("q")
        try await terminal.wait(for: "ENDED with 0")
    }

    private func review(_ terminal: Tmux) async throws {
        try terminal.press("r")
        try await terminal.wait(for: "PLATE of manual")
        try terminal.type("बा १ च १२३४")
        try terminal.press("Tab", "Tab")
        try await terminal.wait(for: "Type: Jeep, SUV")
        try terminal.press("Enter")
        try await terminal.wait(for: "Recorded: BA 1 CHA 1234, Jeep, SUV")
        try terminal.press("Enter")
        try await terminal.wait(for: "PASSAGE BA 1 CHA 1234")
        try terminal.press("c")
        try await terminal.wait(for: "The right plate")
        try terminal.press("BSpace")
        try terminal.type("5")
        try terminal.press("Enter")
        try await terminal.wait(for: "Why does")
        try terminal.type("mud")
        try terminal.press("Enter")
        try await terminal.wait(for: "Corrected: BA 1 CHA 1235")
    }

    private func alert(_ terminal: Tmux, _ box: ConsoleBox) async throws {
        #expect(terminal.bells == 0)
        try box.arrive("0501")
        try await terminal.wait(for: "*** SPEEDING ***  UP 32 AB 1234")
        try await terminal.wait(for: "67.5 km/h / limit 40 km/h")
        try await ConsoleBox.wait("the bell, again and again") { terminal.bells >= 2 }
        try terminal.press("a", "Enter")
        try await terminal.wait(for: "OUTCOME of SPEEDING")
        try await terminal.wait(without: "***")
        let bells = terminal.bells
        try terminal.press("2")
        try await terminal.wait(for: "FINE in rupees")
        try terminal.type("1500")
        try terminal.press("Enter")
        try await terminal.wait(for: "NOTES")
        try terminal.type("paid")
        try terminal.press("Enter")
        try await terminal.wait(for: "The outcome is recorded: Fined")
        let listed = try await box.run(["violations", "--json"]).objects
        let outcome = listed.first?["outcome"].map { "\($0)" } ?? ""
        #expect(outcome.contains("fined"), "\(listed)")
        #expect(terminal.bells == bells, "what was touched is silent")
    }

    private func search(_ terminal: Tmux) async throws {
        try terminal.press("/")
        try await terminal.wait(for: "PART OF A PLATE")
        try terminal.type("ab12")
        try terminal.press("Enter")
        try await terminal.wait(for: "FOUND: 1")
        #expect(terminal.screen.contains("UP 32 AB 1234"))
        try terminal.press("Escape")
        try await terminal.wait(for: "LAST PASSAGES")
    }

    private func lose(_ terminal: Tmux, _ box: ConsoleBox) async throws {
        box.stop(by: SIGKILL)
        try await terminal.wait(for: "CONNECTION LOST")
        try terminal.press("r")
        try await terminal.wait(for: "That did not work")
        try await box.start()
        try await terminal.wait(without: "CONNECTION LOST")
        try terminal.press("r")
        // The vehicle of a moment ago is offered; after half a minute it no longer is.
        try await ConsoleBox.wait("the question for a plate") {
            let screen = terminal.screen
            if screen.contains("Is it this vehicle?") { try terminal.press("t") }
            return screen.contains("PLATE of manual")
        }
        try terminal.press("Escape")
        try await terminal.wait(for: "LAST PASSAGES")
    }
}
