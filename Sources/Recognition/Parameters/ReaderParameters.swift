import Enforcement

/// The reader's numbers that belong to the models: evidence, thresholds, chances, and what differs from script to script.
///
/// They were measured with the models beside which they lie, in `models/reader.json`, and stand nowhere else: not in the program
/// either. Their names there are those of the properties here (`cascade.sure_confidence`). Confidences, scores, sureness, shares and
/// chances are 0…1. What describes shapes (geometry) is code: decision 0145 says why.
package struct ReaderParameters: Codable, Sendable, Equatable {
    /// The form of the file that this program reads.
    package static let version = 1

    package var version: Int

    /// The models that they were measured with: name, and the first 12 digits of the file's SHA-256.
    package var madeFor: [String: String]

    package var finding: Finding
    package var cascade: Cascade
    package var painted: Painted
    package var search: Search
    package var choice: Choice
    package var rows: Rows
    package var plate: Plate
    package var evidence: EvidenceWeights
    package var whole: Whole
    package var scripts: Scripts

    /// Which places the network shows.
    package struct Finding: Codable, Sendable, Equatable {
        /// What is less likely than this is no plate. Lower ones are mostly grilles and signs: one to three a picture from here on.
        package var leastScore: Double

        /// A picture without a place that is at least this likely is looked at closer.
        package var sureScore: Double

        /// What stands on a place that is at least this likely may be a vehicle's plate. Clocks, names and slogans mostly score less,
        /// and fit some country's format easily: what is read there is shown and never recorded by itself.
        package var plateScore: Double

        /// What is said of a place that the network is so sure of.
        func look(of score: Double) -> PlateReading.Look { .init(score: score, isPlate: score >= plateScore) }
    }

    /// When a picture has been looked at enough, and which of its readings stay.
    package struct Cascade: Codable, Sendable, Equatable {
        /// What is less sure than this is no plate.
        package var minimumConfidence: Double

        /// Above this neither rows nor colours are searched any more: each costs as much as all before it.
        package var enoughConfidence: Double

        /// From this on a reading is sure: passages are recorded from it by themselves, and nothing is looked at closer.
        package var sureConfidence: Double

        /// What may be cut by the picture's edge is at most this sure: other frames show the plate whole, or a ranger judges.
        package var cutConfidence: Double

        /// A painted plate whose last row lost an end that was seen is at most this sure: a shorter number fits its format as well.
        package var lostEndConfidence: Double

        /// A place that the network is less sure of is shown and not read.
        package var readableScore: Double

        /// Beside a plate that was read surely a further place must score this much …
        package var secondSpotScore: Double

        /// … and a further row, which the network didn't show, this much.
        package var secondRowScore: Double

        /// A plate of several rows that is more than this part as sure as one of its rows alone is the better answer: one row is read
        /// more surely than two.
        package var wholeShare: Double

        /// A painted plate whose characters are as likely as this is shown …
        package var legibleCharacter: Double

        /// … from this confidence on, though it is less than the minimum: its format allows little, and a ranger judges.
        package var legibleConfidence: Double
    }

    /// Plates that are looked for by their colour.
    package struct Painted: Codable, Sendable, Equatable {
        /// A place with less than this part of the likeliest one's probability is none …
        package var leastShare: Double

        /// … unless a patch looks this much like a plate by its outline.
        package var clearOutline: Double

        /// What reads this surely in Latin isn't painted.
        package var latinConfidence: Double
    }

    /// The search for rows where the places that the network shows didn't read well.
    package struct Search: Codable, Sendable, Equatable {
        /// Where the network is this sure of a place, rows are searched around it alone.
        package var sureScore: Double

        /// Where the network shows a place, a row away from it is read from this score on.
        package var worthReading: Double

        /// A place that the network is this sure of …
        package var againScore: Double

        /// … and where nothing was read as surely as this is searched once more, by parts of writing at a larger scale.
        package var againConfidence: Double

        /// Parts say less of a row than glyphs do: its score is this part.
        package var againShare: Double
    }

    /// Which script a candidate is read in.
    package struct Choice: Codable, Sendable, Equatable {
        /// A plate that reads this surely in Latin isn't tried in Devanagari, …
        package var sureInLatin: Double

        /// … nor is one that looks less like a plate than this, …
        package var worthDevanagari: Double

        /// … nor one with a row of five and more characters that are this sure, whether a format fits them or not.
        package var latinSureness: Double
    }

    /// How often a row is looked at, and how its looks are counted together.
    package struct Rows: Codable, Sendable, Equatable {
        /// A row that scores less hardly looks like a plate's: no second model is asked, and …
        package var promisingScore: Double

        /// … it is read on only when one of its first two readings is this sure.
        package var promisingSureness: Double

        /// A character this likely is in no doubt.
        package var sureCharacter: Double

        /// A reading of more characters that is surer than this contradicts a shorter one, …
        package var contradictingSureness: Double

        /// … and so does another character that is likelier than this.
        package var contradictingCharacter: Double

        /// A character less likely than this is more likely none.
        package var doubtfulCharacter: Double

        /// What just one of several readings saw is a glyph from this on.
        package var loneCharacter: Double

        /// What the fullest reading didn't see, and two others did, is a glyph from this on.
        package var addedCharacter: Double
    }

    /// What of the characters makes the plate.
    package struct Plate: Codable, Sendable, Equatable {
        /// A character less likely than this was put there by the format, not by the picture: …
        package var hardlyRead: Double

        /// … the odds of the plate are multiplied by this.
        package var oddsOfBent: Double

        /// How unlikely a glyph beyond the finder's row is at least, however surely it was read as something.
        package var leastDoubt: Double

        /// A painted plate that reads as less is looked at once more without what may not belong to it.
        package var doubtfulConfidence: Double

        /// How likely it is that a row of three is none, when the other two make a plate.
        package var chanceOfNoRow: Double

        /// How likely it is that the glyph at the end of a row is none, when the others make a plate.
        package var chanceOfNoGlyph: Double

        /// A glyph that a frame swallowed is believed when it was seen this surely.
        package var sureEnd: Double
    }

    /// Plates that are read whole.
    package struct Whole: Codable, Sendable, Equatable {
        /// What each piece of evidence counts, as log odds, per unit of the logarithm of a share or a chance: see `WholePlateReading`.
        package struct Evidence: Codable, Sendable, Equatable {
            package var intercept: Double
            package var weakest: Double
            package var chance: Double
            package var lead: Double
            package var fittingFormat: Double
        }

        package var evidence: Evidence

        /// What only the whole says is at most this sure: less than what is enough, so that rows are looked for further.
        package var alone: Double

        /// What only the whole says, less surely than this, is nothing to bother a ranger with.
        package var leastAlone: Double

        /// What is read on a place that the finder is less sure of is less likely by as much; below 1.
        package var surePlace: Double

        /// The odds between those of rows and whole, where both read the same, are multiplied by this, …
        package var oddsOfSame: Double

        /// … and those of the likelier one, where they read apart, by this.
        package var oddsOfOther: Double

        /// Where they read apart, rows that fit a format of the region are weighed with odds so many times those that they say.
        package var oddsOfOwnRows: Double
    }

    /// What differs from script to script.
    package struct Scripts: Codable, Sendable, Equatable {
        package var latin: ScriptProfile
        package var devanagari: ScriptProfile
    }
}
