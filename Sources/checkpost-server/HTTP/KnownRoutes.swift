import Hummingbird

/// Which methods the server's paths have, for an answer to a method that a path doesn't have: 405 instead of 404.
package struct KnownRoutes: Sendable {
    private var routes: [(parts: [Substring], method: String)] = []

    package init(_ router: Router<GatewayContext>) {
        routes = router.routes.map { ($0.path.description.split(separator: "/"), $0.method.rawValue) }
    }

    /// The methods of a path, sorted; none for a path that isn't known.
    package func methods(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        return routes.filter { route in
            route.parts.count == parts.count && zip(route.parts, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.map(\.method).sorted()
    }
}
