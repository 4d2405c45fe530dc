/// What one field of a plate tells: the class letter the kind of vehicle, say.
package struct FieldMeaning<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The slot that tells it, counted from 0.
    package var slot: Int

    /// By the field's canonical Latin.
    package var values: [String: Value]

    package init(slot: Int, _ values: [String: Value]) {
        self.slot = slot
        self.values = values
    }

    /// - Returns: nil for a plate that doesn't fit the format, and for a field that tells nothing.
    package func value(of plate: Plate, in format: PlateFormat) -> Value? {
        format.fields(compactLatin: plate.compact).flatMap { values[$0[slot]] }
    }
}
