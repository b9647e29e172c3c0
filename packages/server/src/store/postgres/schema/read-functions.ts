const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
const ROW = 'parts.name, rows.kind, rows.id, rows.version, rows.data'
const ROW_TYPE = 'name text, kind text, id text, version bigint, data text'

/**
 * Returns the SQL of the functions for all reads. Each is one statement, so that it sees one consistent view.
 * PostgreSQL caches the plans of functions. Planning each query again would take longer than running it, and named
 * prepared statements do not work behind a transaction-mode pooler. As in the commit function, the planner may only use
 * indexes.
 */
export function readFunctions(s: string): string {
  const define = (name: string, parameters: string, columns: string, body: string) => `
CREATE FUNCTION ${s}.${name}(${parameters}) RETURNS TABLE (${columns}) LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY ${body};
END
$$;`

  return [
    define(
      'load_1',
      'in_names text[], in_kinds text[], in_ids text[]',
      `now bigint, nth bigint, ${ROW_TYPE}`,
      `SELECT clock.now, found.* FROM (SELECT ${NOW} AS now) AS clock LEFT JOIN (
        SELECT want.nth, ${ROW} FROM unnest(in_names, in_kinds, in_ids) WITH ORDINALITY AS want (name, kind, id, nth)
        JOIN ${s}.parts ON parts.name = want.name
        JOIN ${s}.rows ON rows.part = parts.part AND rows.kind = want.kind AND rows.id = want.id
      ) AS found ON true`,
    ),
    define(
      'list_1',
      'in_name text, in_kind text, in_after text, in_limit bigint',
      ROW_TYPE,
      `SELECT ${ROW} FROM ${s}.parts JOIN ${s}.rows USING (part)
        WHERE parts.name = in_name AND rows.kind = in_kind AND rows.id > in_after ORDER BY rows.id LIMIT in_limit`,
    ),
    define(
      'by_tag_1',
      'in_tag text, in_after bigint, in_limit bigint',
      `serial bigint, ${ROW_TYPE}`,
      `SELECT tags."row", ${ROW} FROM ${s}.tags JOIN ${s}.rows USING ("row") JOIN ${s}.parts USING (part)
        WHERE tags.tag = in_tag AND tags."row" > in_after ORDER BY tags."row" LIMIT in_limit`,
    ),
    define(
      'due_1',
      'in_kind text, in_offset bigint, in_limit bigint',
      `now bigint, next_due bigint, due bigint, ${ROW_TYPE}`,
      `SELECT clock.now, next.due, found.due, found.name, found.kind, found.id, found.version, found.data
        FROM (SELECT ${NOW} + in_offset AS now) AS clock
        LEFT JOIN LATERAL (
          SELECT rows.due FROM ${s}.rows WHERE rows.kind = in_kind AND rows.due > clock.now ORDER BY rows.due LIMIT 1
        ) AS next ON true
        LEFT JOIN LATERAL (
          SELECT rows.due, rows."row", ${ROW} FROM ${s}.rows JOIN ${s}.parts USING (part)
          WHERE rows.kind = in_kind AND rows.due <= clock.now ORDER BY rows.due, rows."row" LIMIT in_limit
        ) AS found ON true
        ORDER BY found.due, found."row"`,
    ),
    define(
      'log_1',
      'in_name text, in_from bigint, in_limit bigint',
      'epoch text, head bigint, floor bigint, seq bigint, body text',
      `SELECT parts.epoch, parts.head, parts.floor, found.seq, found.body FROM ${s}.parts
        LEFT JOIN LATERAL (
          SELECT events.seq, events.body FROM ${s}.events WHERE events.part = parts.part AND events.seq >= in_from
          ORDER BY events.seq LIMIT in_limit
        ) AS found ON true
        WHERE parts.name = in_name ORDER BY found.seq`,
    ),
    define(
      'snapshot_1',
      'in_name text, in_kinds text[], in_limit bigint',
      `now bigint, epoch text, head bigint, body text, ${ROW_TYPE}, nth bigint`,
      `SELECT ${NOW}, parts.epoch, parts.head, (
          SELECT events.body FROM ${s}.events WHERE events.part = parts.part AND events.seq = parts.head
        ), NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::text, 0::bigint
        FROM (SELECT in_name AS name) AS want LEFT JOIN ${s}.parts ON parts.name = want.name
        UNION ALL (
          SELECT NULL, NULL, NULL, NULL, ${ROW}, want.nth FROM ${s}.parts
          CROSS JOIN unnest(in_kinds) WITH ORDINALITY AS want (kind, nth)
          JOIN ${s}.rows ON rows.part = parts.part AND rows.kind = want.kind
          WHERE parts.name = in_name ORDER BY want.nth, rows.id LIMIT in_limit
        )`,
    ),
    define(
      'changes_1',
      'in_from bigint, in_author text',
      'horizon text, xid text, names text[]',
      `SELECT pg_snapshot_xmin(pg_current_snapshot())::text, changes.xid::text, changes.names
        FROM (SELECT 1) AS one LEFT JOIN ${s}.changes ON changes.xid >= in_from AND changes.author <> in_author`,
    ),
  ].join('\n')
}
