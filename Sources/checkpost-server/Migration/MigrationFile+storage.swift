import Foundation

/// Policies of `storage.objects`. In a Supabase project that table belongs to the storage service, and a role that doesn't own it makes
/// policies there only where the project lets it. A migration doesn't fail for that: it leaves them out, and says which.
extension MigrationFile {
    /// Statements with neither a text nor a body in them that could hold a semicolon.
    private static var policy: Regex<(Substring, Substring, Substring)> {
        #/(?m)^(create|drop|alter) policy (?:if exists )?(\w+) on storage\.objects\b[^;]*;/#
    }

    /// Its text, with each of those statements passed over where it is not allowed.
    package var textForGuest: String {
        text.replacing(Self.policy) { match in
            """
            do $guest$ begin execute $policy$ \(match.0.dropLast()) $policy$;
            exception when insufficient_privilege then null; end $guest$;
            """
        }
    }

    /// What these files leave behind in the end: the statements that make it, by the policy's name.
    package static func storagePolicies(_ files: [MigrationFile]) -> [String: String] {
        files.reduce(into: [:]) { policies, file in
            for match in file.text.matches(of: policy) {
                let name = String(match.2)
                switch match.1 {
                case "create": policies[name] = String(match.0)
                case "drop": policies[name] = nil
                default: policies[name]?.append("\n" + match.0)
                }
            }
        }
    }
}
