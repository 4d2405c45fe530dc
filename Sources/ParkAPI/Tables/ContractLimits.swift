/// What the server's checks allow. A longer text is cut before it is sent, except where it says otherwise. `Tests/Contract` holds them
/// and the checks in SQL to the same numbers.
package enum ContractLimits {
    /// Letters and digits of a plate, without spaces. One beyond is refused.
    package static let plate = 2...16

    /// A code that goes into an SMS between two pipes.
    package static let checkpostCode = 1...20

    package static let plateRaw = 200
    package static let actedBy = 200
    package static let reason = 1000
    package static let listReason = 60
    package static let notes = 4000
    package static let runError = 2000

    /// What waits for review may be read in any way; the server keeps so much of it.
    package static let waitingPlate = 32

    /// Rows of one answer, and ids of one question.
    package static let rowsAPage = 500
    package static let idsAQuestion = 100
    package static let accountsAQuestion = 100

    /// Plates that the office lists, of each kind.
    package static let listedPlates = 500

    package static let email = 254
    package static let password = 1000
    package static let photoBytes = 2_000_000
}
