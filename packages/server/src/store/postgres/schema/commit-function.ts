/**
 * Returns the SQL of the function that commits a group in one round trip. It locks the partitions in their order,
 * checks the plan's assumptions about the rows, and writes everything or nothing. Inside a volatile function, each
 * statement sees what was committed when *it* began, so the check after the lock sees the writes of the lock's previous
 * owner. A single large statement would check against its snapshot from before the wait, and would miss those writes.
 *
 * Every write touches its row of `parts`. A database whose default isolation is stricter than READ COMMITTED therefore
 * fails with 40001 and is tried again, instead of checking against an old snapshot.
 *
 * The planner must use nested loops over indexes, because its statistics may predate a table's growth.
 */
export function commitFunction(s: string): string {
  return `
CREATE FUNCTION ${s}.commit_1(
  in_names text[], in_epochs text[], in_counts int[],
  row_parts int[], row_kinds text[], row_ids text[], row_wants bigint[],
  put_parts int[], put_kinds text[], put_ids text[], put_grew int[], put_dues bigint[], put_tags text[], put_data text[],
  del_parts int[], del_kinds text[], del_ids text[],
  event_parts int[], event_nths int[], event_jsons text[],
  in_author text, in_lock_ms int,
  OUT done boolean, OUT versions bigint[], OUT epochs text[], OUT heads bigint[]
) LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  part_ids bigint[];
  made_ids bigint[];
  my_xid bigint;
BEGIN
  PERFORM set_config('lock_timeout', in_lock_ms::text, true);

  WITH made AS (
    INSERT INTO ${s}.parts (name, epoch)
      SELECT want.name, want.epoch FROM unnest(in_names, in_epochs) WITH ORDINALITY AS want (name, epoch, nth)
      WHERE want.epoch IS NOT NULL AND NOT EXISTS (SELECT FROM ${s}.parts WHERE parts.name = want.name)
      ORDER BY want.nth
      ON CONFLICT DO NOTHING
      RETURNING part
  ) SELECT array_agg(part) INTO made_ids FROM made;

  SELECT array_agg(locked.part ORDER BY locked.nth), array_agg(locked.epoch ORDER BY locked.nth),
      array_agg(locked.head ORDER BY locked.nth)
    INTO part_ids, epochs, heads
    FROM (
      SELECT want.nth, found.part, found.epoch, found.head
        FROM unnest(in_names) WITH ORDINALITY AS want (name, nth)
        LEFT JOIN LATERAL (
          SELECT part, epoch, head FROM ${s}.parts WHERE parts.name = want.name FOR UPDATE
        ) AS found ON true
        ORDER BY want.nth
    ) AS locked;

  IF EXISTS (SELECT FROM unnest(in_epochs, part_ids) AS pair (epoch, part) WHERE epoch IS NOT NULL AND part IS NULL) THEN
    RAISE EXCEPTION 'a partition was erased while it was being written' USING ERRCODE = 'serialization_failure';
  END IF;

  IF cardinality(row_parts) > 0 THEN
    SELECT array_agg(coalesce(found.version, 0) ORDER BY want.nth),
        bool_and(want.version IS NULL OR want.version = coalesce(found.version, 0))
      INTO versions, done
      FROM unnest(row_parts, row_kinds, row_ids, row_wants) WITH ORDINALITY AS want (part, kind, id, version, nth)
      LEFT JOIN ${s}.rows AS found
        ON found.part = part_ids[want.part] AND found.kind = want.kind AND found.id = want.id;
    IF NOT done THEN
      DELETE FROM ${s}.parts WHERE part = ANY (made_ids);
      RETURN;
    END IF;
  END IF;
  done := true;

  IF cardinality(del_parts) > 0 THEN
    DELETE FROM ${s}.tags USING ${s}.rows, unnest(del_parts, del_kinds, del_ids) AS del (part, kind, id)
      WHERE rows.part = part_ids[del.part] AND rows.kind = del.kind AND rows.id = del.id
        AND tags.tag = ANY (rows.tags) AND tags."row" = rows."row";
    DELETE FROM ${s}.rows USING unnest(del_parts, del_kinds, del_ids) AS del (part, kind, id)
      WHERE rows.part = part_ids[del.part] AND rows.kind = del.kind AND rows.id = del.id;
  END IF;

  IF cardinality(put_parts) > 0 THEN
    DELETE FROM ${s}.tags USING ${s}.rows, unnest(put_parts, put_kinds, put_ids, put_tags) AS put (part, kind, id, tags)
      WHERE rows.part = part_ids[put.part] AND rows.kind = put.kind AND rows.id = put.id
        AND rows.tags IS DISTINCT FROM put.tags::text[]
        AND tags.tag = ANY (rows.tags) AND tags."row" = rows."row";
    WITH written AS (
      INSERT INTO ${s}.rows AS old (part, kind, id, version, due, tags, data)
        SELECT part_ids[put.part], put.kind, put.id, put.grew, put.due, put.tags::text[], put.data
        FROM unnest(put_parts, put_kinds, put_ids, put_grew, put_dues, put_tags, put_data)
          AS put (part, kind, id, grew, due, tags, data)
        ON CONFLICT (part, kind, id) DO UPDATE SET version = old.version + excluded.version,
          due = excluded.due, tags = excluded.tags, data = excluded.data
        RETURNING "row", tags
    )
    INSERT INTO ${s}.tags (tag, "row") SELECT tag, "row" FROM written, unnest(written.tags) AS tag
      ON CONFLICT DO NOTHING;
  END IF;

  IF cardinality(event_parts) > 0 THEN
    INSERT INTO ${s}.events (part, seq, body)
      SELECT part_ids[event.part], heads[event.part] + event.nth, event.body
      FROM unnest(event_parts, event_nths, event_jsons) AS event (part, nth, body);
  END IF;

  UPDATE ${s}.parts SET head = parts.head + touched.count
    FROM unnest(part_ids, in_counts) AS touched (part, count)
    WHERE parts.part = touched.part AND touched.count IS NOT NULL;

  IF FOUND THEN
    my_xid := pg_current_xact_id()::text::bigint;
    INSERT INTO ${s}.changes (xid, at, author, names)
      SELECT my_xid, clock_timestamp(), in_author, array_agg(name)
      FROM unnest(in_names, in_counts) AS touched (name, count) WHERE count IS NOT NULL;
    IF random() < 0.02 THEN
      DELETE FROM ${s}.changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${s}.changes WHERE xid < my_xid AND at < clock_timestamp() - interval '1 minute'
          ORDER BY xid LIMIT 500 FOR UPDATE SKIP LOCKED
      ));
    END IF;
  END IF;
END
$$;`
}
