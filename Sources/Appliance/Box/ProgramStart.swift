import Foundation

/// What the program's file does before anything else: which program it is to be, and with which environment.
package enum ProgramStart {
    private static let name = "OMP_THREAD_LIMIT"
    private static let mark = "CHECKPOST_CHOSEN"

    /// Goes on as the program that an update has chosen, if this is the installed one and another is on trial; and with Tesseract on one thread:
    /// reading a line takes four times as long when OpenMP spreads it, and it reads its limit when the program is loaded.
    ///
    /// - Parameter isUpdate: whether `checkpost update` was typed: it is done by the installed program.
    package static func settle(isUpdate: Bool) {
        // Whoever was chosen once and could not be started is not tried again.
        let wasChosen = getenv(mark) != nil
        unsetenv(mark)
        let other = isUpdate || wasChosen ? nil : otherProgram
        if other != nil { setenv(mark, "1", 1) }
        guard other != nil || getenv(name) == nil else { return }
        setenv(name, "1", 0)
        for program in [other, "/proc/self/exe"].compactMap(\.self) {
            var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
            arguments.append(nil)
            // It only comes back when it failed: then everything works, with this program, more slowly.
            execv(program, arguments)
            for argument in arguments { free(argument) }
        }
    }

    /// The program that this one is to go on as. An update takes the link away after it has replaced the installed program: whoever finds no
    /// link looks for itself after that, and is not the former version for months because it was started a moment too early.
    private static var otherProgram: String? {
        guard let places = UpdatePlaces.ownPath.flatMap(UpdatePlaces.init(program:)), !places.isBeside else {
            return nil
        }
        if let beside = places.chosenBeside { return beside }
        let isReplaced = UpdatePlaces.ownFile?.isGone == true && access(places.installedProgram, X_OK) == 0
        return isReplaced ? places.installedProgram : nil
    }
}
