/// How many characters must be put in, taken out or exchanged to turn one text into the other (Levenshtein).
package func editDistance(_ left: some Collection<Character>, _ right: some Collection<Character>) -> Int {
    var row = Array(0...right.count)
    for (index, leftCharacter) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for (column, rightCharacter) in right.enumerated() {
            let exchanged = diagonal + (leftCharacter == rightCharacter ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(diagonal + 1, row[column] + 1, exchanged)
        }
    }
    return row[right.count]
}
