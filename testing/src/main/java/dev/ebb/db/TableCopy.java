package dev.ebb.db;

/** What a dump is where there is no pg_dump: all rows of one snapshot, without the sequences. */
final class TableCopy {
  // Of a partitioned table, its root: rows find their partitions.
  private static final String TABLES =
      """
      create temporary view tables as
      select c.oid::regclass::text as name,
        string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relnamespace = 'ebb'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname <> 'flyway_schema_history'
      group by c.oid;
      """;

  private TableCopy() {}

  /** For a shell: from one schema to another of the same version, whose rows go. */
  static String script(int fromPort, int toPort, String database) {
    return """
    rm -rf /tmp/dump
    mkdir /tmp/dump
    psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p %1$s -U postgres %3$s <<'SQL' >/dev/null
    begin isolation level repeatable read;
    %4$s
    select format('copy (select %%s from %%s) to %%L', columns, name, '/tmp/dump/' || name)
    from tables \\gexec
    SQL
    psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p %2$s -U postgres %3$s <<'SQL' >/dev/null
    begin;
    -- No trigger, and no order in which tables refer to each other.
    set local session_replication_role = replica;
    %4$s
    select format('delete from %%s', name) from tables \\gexec
    select format('copy %%s (%%s) from %%L', name, columns, '/tmp/dump/' || name)
    from tables \\gexec
    commit;
    SQL
    """
        .formatted(fromPort, toPort, database, TABLES);
  }
}
