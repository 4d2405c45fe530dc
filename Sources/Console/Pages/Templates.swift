import Foundation
import Pages

/// The pages' templates. They escape whatever they are given.
enum Templates {
    static let all: PageTemplates = {
        let files: [String: [UInt8]] = [
            "layout": PackageResources.layout_mustache, "status": PackageResources.status_mustache,
            "theme": PackageResources.theme_mustache,
            "sign-in": PackageResources.sign_in_mustache, "watch": PackageResources.watch_mustache,
            "counts": PackageResources.counts_mustache, "passages": PackageResources.passages_mustache,
            "review": PackageResources.review_mustache, "reviews": PackageResources.reviews_mustache,
            "review-cards": PackageResources.review_cards_mustache,
            "inside": PackageResources.inside_mustache, "inside-rows": PackageResources.inside_rows_mustache,
            "inside-row": PackageResources.inside_row_mustache,
            "correction": PackageResources.correction_mustache, "withdrawal": PackageResources.withdrawal_mustache,
            "alert": PackageResources.alert_mustache,
            "alerts": PackageResources.alerts_mustache, "outcome": PackageResources.outcome_mustache,
            "outcomes": PackageResources.outcomes_mustache,
            "history": PackageResources.history_mustache, "history-rows": PackageResources.history_rows_mustache,
            "passage": PackageResources.passage_mustache, "overstays": PackageResources.overstays_mustache,
            "alarms": PackageResources.alarms_mustache, "alarm-list": PackageResources.alarm_list_mustache,
            "figures": PackageResources.figures_mustache,
            "other-passage": PackageResources.other_passage_mustache,
            "list": PackageResources.list_mustache, "users": PackageResources.users_mustache,
            "notice": PackageResources.notice_mustache, "printer": PackageResources.printer_mustache,
            "technician": PackageResources.technician_mustache, "aim": PackageResources.aim_mustache,
            "again": PackageResources.again_mustache,
            "api": PackageResources.api_mustache,
        ]
        return PageTemplates(files)
    }()

    static func render(_ name: String, _ model: [String: Any]) -> String? {
        all.render(name, model)
    }
}
