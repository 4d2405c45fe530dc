extension String {
    /// What is said, with one full stop at its end: an error's own words may have it already.
    package init(sentence said: Any) {
        let words = "\(said)"
        self = words.hasSuffix(".") ? words : words + "."
    }
}
