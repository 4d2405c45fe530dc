extension Catalog {
    /// Reads the tables of the schema `public`.
    package init(_ connection: PostgresConnection) throws {
        var tables: [String: Table] = [:]
        for row in try connection.run(columnsSQL).rows {
            guard row.count == 5, let table = row[0], let name = row[1], let type = row[2] else { continue }
            let column = Column(name: name, type: type, defaultSQL: row[3], isGenerated: row[4] == "t")
            tables[table, default: Table(name: table, columns: [], primaryKey: [], relations: [])].columns.append(
                column)
        }
        var uniqueKeys: Set<[String]> = []
        for row in try connection.run(keysSQL).rows {
            guard row.count == 3, let table = row[0], let columns = row[1]?.split(separator: ",").map(String.init)
            else { continue }
            uniqueKeys.insert([table] + columns.sorted())
            if row[2] == "t" { tables[table]?.primaryKey = columns }
        }
        for row in try connection.run(foreignKeysSQL).rows {
            guard row.count == 5, let constraint = row[0], let table = row[1], let other = row[3],
                let columns = row[2]?.split(separator: ",").map(String.init),
                let otherColumns = row[4]?.split(separator: ",").map(String.init)
            else { continue }
            tables[table]?.relations.append(
                Relation(
                    constraint: constraint, table: table, columns: columns, otherTable: other,
                    otherColumns: otherColumns,
                    isToMany: false))
            tables[other]?.relations.append(
                Relation(
                    constraint: constraint, table: other, columns: otherColumns, otherTable: table,
                    otherColumns: columns,
                    isToMany: !uniqueKeys.contains([table] + columns.sorted())))
        }
        self.init(tables: Array(tables.values))
    }
}

private let columnsSQL = """
    select c.relname, a.attname, format_type(a.atttypid, null), pg_get_expr(d.adbin, d.adrelid), a.attgenerated <> ''
    from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p')
    order by c.relname, a.attnum
    """

private let keysSQL = """
    select c.relname, (select string_agg(a.attname, ',' order by k.place) from unnest(i.indkey) with ordinality k (num, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num), i.indisprimary
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique and i.indpred is null and i.indexprs is null
    """

private let foreignKeysSQL = """
    select f.conname, c.relname,
        (select string_agg(a.attname, ',' order by k.place) from unnest(f.conkey) with ordinality k (num, place)
            join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num),
        o.relname,
        (select string_agg(a.attname, ',' order by k.place) from unnest(f.confkey) with ordinality k (num, place)
            join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num)
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class o on o.oid = f.confrelid
    where f.contype = 'f' and c.relnamespace = 'public'::regnamespace and o.relnamespace = 'public'::regnamespace
    order by f.conname
    """
