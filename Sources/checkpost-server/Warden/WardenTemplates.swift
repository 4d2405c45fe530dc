import Pages

/// The warden's templates. They escape whatever they are given.
enum WardenTemplates {
    static let all = PageTemplates([
        "layout": PackageResources.layout_mustache, "sign-in": PackageResources.sign_in_mustache,
        "today": PackageResources.today_mustache, "today-figures": PackageResources.today_figures_mustache,
        "work": PackageResources.work_mustache, "match": PackageResources.match_mustache,
        "verdicts": PackageResources.verdicts_mustache,
        "passages": PackageResources.passages_mustache, "passage-rows": PackageResources.passage_rows_mustache,
        "passage": PackageResources.passage_mustache, "correction": PackageResources.correction_mustache,
        "withdrawal": PackageResources.withdrawal_mustache, "outcome-form": PackageResources.outcome_form_mustache,
        "violations": PackageResources.violations_mustache, "violation-rows": PackageResources.violation_rows_mustache,
        "overstays": PackageResources.overstays_mustache, "overstay-rows": PackageResources.overstay_rows_mustache,
        "audit": PackageResources.audit_mustache, "audit-rows": PackageResources.audit_rows_mustache,
        "second-factor": PackageResources.second_factor_mustache,
        "people": PackageResources.people_mustache, "figures": PackageResources.figures_mustache,
        "lists": PackageResources.lists_mustache, "roads": PackageResources.roads_mustache,
        "road": PackageResources.road_mustache, "post": PackageResources.post_mustache,
        "texts": PackageResources.texts_mustache,
        "text-rows": PackageResources.text_rows_mustache,
    ])
}
