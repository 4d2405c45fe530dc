/// What the console's API gives, as far as the text console shows it.
extension WatchScreen {
    struct Passage: Decodable, Equatable {
        var id: String
        var day: String
        var time: String
        var plate: String
        var typeText: String
        var originText: String
        var sureText: String
        var clockText: String
        var syncText: String
        var violationText: String?
        var isMatched: Bool
        var isWithdrawn: Bool
        var isCorrected: Bool
    }

    struct Review: Decodable, Equatable {
        var id: String
        var plate: String
        var time: String
        var candidates: [String]

        /// The passage that the camera has made of it, as it seems.
        struct Recorded: Decodable, Equatable {
            var id: String
            var plate: String
            var time: String
        }

        var recorded: Recorded?
    }

    struct Alert: Decodable, Equatable {
        var id: String
        var title: String
        var plate: String
        var typeText: String
        var speed: String?
        var limit: String?
        var tookLabel: String
        var took: String
        var lawful: String
        var entryTime: String
        var exitTime: String?
        var state: String
        /// What a doubtful overstay waits for.
        var waitsFor: [String]?
        var isTouched: Bool
        var violationID: String?
        var overstayID: Int?

        enum CodingKeys: String, CodingKey {
            case id, title, plate, typeText, speed, limit, tookLabel, took, lawful, entryTime, exitTime, state,
                waitsFor, isTouched
            // The key "violation_id" becomes "violationId" on its way through the decoder.
            case violationID = "violationId"
            case overstayID = "overstayId"
        }
    }

    struct Today: Decodable, Equatable {
        var passages: Int
        var speeding: Int
        var overstay: Int
        var review: Int
    }

    /// Two plates that look alike, this post's first.
    struct Match: Decodable, Equatable {
        var id: String
        var ownPlate: String
        var ownTime: String
        var otherPlate: String
        var otherPost: String
        var otherTime: String
    }

    /// A violation with an outcome.
    struct Done: Decodable, Equatable {
        var alert: Alert
        var seen: String
        var what: String
        var fine: String
        var notes: String
        var by: String
        var isClosed: Bool
    }

    /// What waits for the server.
    struct Queue: Decodable, Equatable {
        struct Entry: Decodable, Equatable {
            var id: String
            var entity: String
            var plate: String
            var error: String
        }
        var text: String
        var dead: [Entry]
        var runs: [String]
    }
}
