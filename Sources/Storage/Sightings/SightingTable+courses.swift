import Enforcement
import Foundation
import GRDB

/// Which way a vehicle went, as its camera saw it.
package struct SeenCourse: Sendable, Equatable {
    package var seenAt: Instant

    /// Empty where it was not read.
    package var plate: Plate
    package var course: Course?
    package var travel: Travel?
}

extension SightingTable {
    /// Which way the last vehicles before a camera went, the newest first; those that turned out to be nothing left out.
    package func courses(of camera: String, limit: Int) throws -> [SeenCourse] {
        try read("Reading which way vehicles went") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT best_recorded_at, coalesce(json_extract(reading, '$.plate'), '') AS plate, course, travel
                    FROM sightings WHERE camera = ? AND state IN ('recorded', 'review') ORDER BY number DESC LIMIT ?
                    """, arguments: [camera, limit]
            ).map { row in
                SeenCourse(
                    seenAt: try row.instant("best_recorded_at"), plate: try row.plate("plate"),
                    course: try row.optionalText("course").flatMap(Course.init(rawValue:)),
                    travel: try row.travel("travel"))
            }
        }
    }
}
