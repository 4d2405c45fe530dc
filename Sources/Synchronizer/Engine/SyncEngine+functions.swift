import Enforcement
import Foundation

/// Where the server's functions are. The park's own server has them under `/functions/v1/change-passage`; a Supabase project has them
/// there only if somebody deployed edge functions, and its REST interface always has them under `/rest/v1/rpc/change_passage`.
extension SyncEngine {
    /// Performs a request; a call of a function that the server lacks is made again at the function's other place.
    ///
    /// A 404 can also mean that a record is not there. The other place then says so once more, and nothing was done by either.
    func perform(_ request: SyncRequest) -> ServerExchange {
        let reply = transport.perform(request)
        guard case .answered(let answer) = reply, answer.status == 404, answer.isWellFormed,
            let other = request.atRESTInterface
        else { return reply }
        return transport.perform(other)
    }
}

extension SyncRequest {
    /// A call of an edge function as one of the function in the database; nil for any other request.
    var atRESTInterface: SyncRequest? {
        let prefix = "/functions/v1/"
        guard path.hasPrefix(prefix) else { return nil }
        var request = self
        request.path = "/rest/v1/rpc/" + path.dropFirst(prefix.count).replacing("-", with: "_")
        return request
    }
}
