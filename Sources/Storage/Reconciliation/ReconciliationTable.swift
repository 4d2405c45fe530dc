/// Takes the server's word in: the machines of `Enforcement` decide what it changes here, and it is done in the transaction in which
/// they looked.
///
/// It crosses most roles, since a word about one passage changes its match, violation, alert, photo and queue entries too.
package struct ReconciliationTable: Table {
    let store: Store
}
