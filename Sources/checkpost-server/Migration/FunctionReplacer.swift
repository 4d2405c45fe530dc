import Foundation

/// Puts functions into a database: those whose text is another than the one that was applied, or that somebody changed there.
struct FunctionReplacer {
    let files: [FunctionFile]

    /// What a function is, however its text is written. The search path is empty, so that every name in it is whole.
    private static let present = """
        select p.oid, p.oid::regprocedure::text as signature, md5(concat_ws('|', l.lanname, p.prosrc, pg_get_function_sqlbody(p.oid),
            pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), p.prosecdef, p.provolatile, p.proisstrict,
            p.proparallel, p.proconfig)) as fingerprint
        from pg_catalog.pg_proc p join pg_catalog.pg_language l on l.oid = p.prolang
            join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('checkpost', 'public')
        """

    /// In a transaction, whose search path is empty from here on.
    func difference(_ connection: PostgresConnection) throws -> FunctionDifference {
        try connection.run("select set_config('search_path', '', true)")
        let rows = try connection.run(
            """
            select f.name, f.signature, f.sha256, coalesce(p.fingerprint = f.fingerprint, false)
            from checkpost.schema_functions f left join (\(Self.present)) p on p.signature = f.signature order by f.name
            """
        ).rows
        let applied = rows.map { row in
            AppliedFunction(
                name: row[0] ?? "", signature: row[1] ?? "", sha256: row[2] ?? "", stands: row[3] == "t")
        }
        return FunctionDifference(known: files, applied: applied)
    }

    /// In a transaction: there is no moment with some functions of one program and some of another. Returns the names of those that
    /// were made anew and of those that went.
    func replace(_ connection: PostgresConnection) throws -> (replaced: [String], dropped: [String]) {
        let difference = try difference(connection)
        // A body may call what another file makes.
        try connection.run("select set_config('check_function_bodies', 'off', true)")
        var dropped: [String] = []
        for function in difference.unknown {
            try drop(function.signature, connection)
            try connection.run("delete from checkpost.schema_functions where name = $1", [function.name])
            dropped.append(function.name)
        }
        for file in difference.stale { try make(file, connection) }
        return (difference.stale.map(\.name), dropped)
    }

    private func make(_ file: FunctionFile, _ connection: PostgresConnection) throws {
        guard let signature = file.signature else {
            throw Migrator.Failure(
                description:
                    "functions/\(file.path) has to hold one `create or replace function \(file.name)(…)` and one "
                    + "`revoke all on function \(file.name)(…) from public, …`.")
        }
        do {
            let before = try connection.run(
                "select signature from checkpost.schema_functions where name = $1", [file.name]
            ).scalar
            try connection.runScript(file.text)
            let now = try connection.run("select $1::regprocedure::text", [signature]).scalar ?? ""
            if let before, before != now { try drop(before, connection) }
            try connection.run(
                """
                insert into checkpost.schema_functions (name, signature, sha256, fingerprint)
                select $1, p.signature, $2, p.fingerprint from (\(Self.present)) p
                where p.oid = $3::regprocedure
                on conflict (name) do update set signature = excluded.signature, sha256 = excluded.sha256,
                    fingerprint = excluded.fingerprint, applied_at = now()
                """, [file.name, file.sha256, now])
        } catch let error as PostgresError {
            throw Migrator.Failure(description: "functions/\(file.path) failed, and nothing was changed: \(error)")
        }
    }

    /// A signature comes from the database itself.
    private func drop(_ signature: String, _ connection: PostgresConnection) throws {
        do {
            try connection.run("drop function if exists \(signature)")
        } catch {
            throw Migrator.Failure(
                description:
                    "The function \(signature) has no file any more and can't be dropped; nothing was changed: \(error)"
            )
        }
    }
}
