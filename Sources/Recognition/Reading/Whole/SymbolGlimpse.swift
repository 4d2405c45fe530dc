import Plates

/// A symbol that a network knows, and its script.
struct PlateSymbol: Equatable {
    let text: String
    let script: PlateFormat.Script

    init(_ text: String) {
        self.text = text
        script = text.utf8.allSatisfy { $0 < 0x80 } ? .latin : .devanagari
    }
}

/// A place of a sequence where the network sees a symbol, whichever it is.
struct SymbolGlimpse {
    /// Chances of symbols, by their number in the network's table; together how likely a symbol is there at all.
    var chances: [(symbol: PlateSymbol, chance: Double)]

    var presence: Double { chances.reduce(0) { $0 + $1.chance } }

    /// Places where a symbol is less likely show none.
    private static let leastPresence: Float = 0.1

    /// A symbol is seen twice where it is half as likely between two places as at them.
    private static let dip: Float = 0.5

    /// A symbol that is less likely than this at a place is none of what may be there.
    private static let leastChance: Float = 0.002

    /// Collapses a sequence of places as the network was taught (CTC): neighbours that show the same symbol are one, and a place without a
    /// symbol parts two.
    ///
    /// - Parameter chances: of no symbol and of each symbol, by place.
    static func glimpses(_ chances: [[Float]], _ symbols: [PlateSymbol]) -> [SymbolGlimpse] {
        var found: [SymbolGlimpse] = []
        var run: (symbol: Int, peak: Int, presence: Float, lowest: Float)?
        func end() {
            if let run { found.append(glimpse(chances[run.peak], symbols)) }
            run = nil
        }
        for (place, values) in chances.enumerated() {
            let presence = 1 - values[0]
            let best = values.indices.dropFirst().max { values[$0] < values[$1] } ?? 0
            guard presence >= leastPresence else {
                end()
                continue
            }
            if var now = run, now.symbol == best {
                now.lowest = min(now.lowest, presence)
                if dip * min(presence, now.presence) > now.lowest {
                    end()
                    run = (best, place, presence, presence)
                } else {
                    if presence > now.presence { (now.peak, now.presence, now.lowest) = (place, presence, presence) }
                    run = now
                }
            } else {
                end()
                run = (best, place, presence, presence)
            }
        }
        end()
        return found
    }

    private static func glimpse(_ values: [Float], _ symbols: [PlateSymbol]) -> SymbolGlimpse {
        SymbolGlimpse(
            chances: symbols.indices.compactMap { index in
                let chance = values[index + 1]
                return chance >= leastChance ? (symbols[index], Double(chance)) : nil
            })
    }
}
