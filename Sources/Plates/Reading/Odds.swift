/// How many times likelier something is than not; bounded, so that what seems certain can still be weighed.
package func odds(of probability: Double) -> Double {
    max(0.001, probability) / max(0.001, 1 - probability)
}

/// The same probability with its odds multiplied: 0.9 at a fifth of its odds is 0.64.
package func probability(_ probability: Double, timesOdds factor: Double) -> Double {
    let odds = max(0, probability) * factor
    return odds + (1 - min(1, probability)) > 0 ? odds / (odds + 1 - min(1, probability)) : probability
}
