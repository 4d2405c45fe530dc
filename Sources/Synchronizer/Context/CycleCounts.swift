/// What a cycle has done, for the list of runs.
struct CycleCounts {
    var pushed = 0
    var pulled = 0
    var photos = 0
    /// Rows of the server that make no sense here.
    var leftOut = 0
}
