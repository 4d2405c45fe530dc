/// What `GET /api/…` gives, for the page that documents it.
extension APIRoutes {
    static let readings = [
        ("session", "Who is signed in, and the form token."),
        (
            "status",
            "Cameras, link, queue, clock, today's counts: what the page's first lines show. revisions tells of each kind of list "
                + "whether it has changed: ask for it again when its revision is another."
        ),
        ("counts", "How many wait for review, how many alerts are open."),
        ("live?camera=", "The newest picture's number, size, age and plates. /live?camera= is the picture itself."),
        (
            "plate?text=&review=",
            "How a typed plate is recorded, the vehicle type that it tells, and what each of its characters may be (review: "
                + "the id of the vehicle that waits)."
        ),
        (
            "keys?text=&keys=",
            "Of these keys, apart by spaces, those that may go on with a plate that begins like this."
        ),
        (
            "passages?plate=&from=&to=&post=&type=&matched=&violation=&alike=&limit=&offset=",
            "Passages, the newest first. plate is any part of one; from and to are days (2026-11-21); matched and violation "
                + "are yes or no; post is own (without it), other or both; alike=1 also finds characters that look alike; at most 500."
        ),
        (
            "reviews?id=&discarded=&limit=",
            "What waits for review, the oldest first, or newest=1; discarded=1: what rangers discarded, the last first. At most 500; 100 "
                + "without a limit."
        ),
        (
            "alerts?pictures=",
            "Alerts without an outcome, those that nobody has touched first. pictures=0 leaves out where the pictures are, and "
                + "earlier violations: nothing is asked of the server then."
        ),
        ("outcomes", "Violations whose outcome is of the last day, the last first, with what a change needs (seen)."),
        ("matches", "Plates that look alike at both posts and that nobody has judged, the last first; at most 50."),
        (
            "queue",
            "What waits for the server, what was refused or failed (at most 100), and the last five synchronizations."
        ),
        (
            "inside",
            "Vehicles between the posts, with their earliest lawful exit and their deadline; to which something happens first, "
                + "first."
        ),
        ("violations", "The last hundred violations."),
        ("overstays?pictures=", "Vehicles inside too long, the oldest first."),
        (
            "events",
            "Server-sent events: passage, review, alert, picture (one of the other post has come), status, and reset (load "
                + "everything anew). With the header "
                + "Last-Event-ID, or ?after=, what was missed comes first."
        ),
    ]
}
