/// The server's functions. The park's own server has those that a client calls under `/functions/v1/change-passage`; a Supabase project has
/// them there only if somebody deployed edge functions, and its REST interface always has them under `/rest/v1/rpc/change_passage`.
package enum ParkFunction: String, Sendable, CaseIterable {
    case accountsOpen = "accounts_open"
    case addEvidence = "add_evidence"
    case changePassage = "change_passage"
    case checkOverstay = "check_overstay"
    case createRanger = "create_ranger"
    case evidenceOf = "evidence_of"
    case handInText = "hand_in_text"
    case matchPassage = "match_passage"
    case news
    case passageDays = "passage_days"
    case receiveSMS = "receive_sms"
    case resolveAlert = "resolve_alert"
    case tellReviews = "tell_reviews"
    case textKey = "text_key"

    /// Its name in the database.
    package var databaseName: String { rawValue }

    package var databasePath: String { "\(ParkPath.databaseFunctions)/\(rawValue)" }

    /// Where it is called as a function of its own; nil for those that are asked of the database alone.
    package var path: String? {
        let name: String
        switch self {
        case .accountsOpen, .evidenceOf, .handInText, .news, .passageDays, .tellReviews, .textKey: return nil
        case .addEvidence: name = "add-evidence"
        // Twilio's name for it, not the box's.
        case .receiveSMS: name = "sms-webhook"
        case .changePassage: name = "change-passage"
        case .checkOverstay: name = "check-overstay"
        case .createRanger: name = "create-ranger"
        case .matchPassage: name = "match-passage"
        case .resolveAlert: name = "resolve-alert"
        }
        return "\(ParkPath.functions)/\(name)"
    }
}
