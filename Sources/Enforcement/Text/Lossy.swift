/// A part of what came from outside, or nothing where it makes no sense: one bad part costs nothing to the others.
package struct Lossy<Value: Decodable>: Decodable {
    package let value: Value?

    package init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
