import { commitFunction } from './commit-function.ts'
import { readFunctions } from './read-functions.ts'

/**
 * One script for each version of the schema, oldest first. Published scripts never change; a new version adds a script.
 * `s` is the quoted name of the schema.
 */
const scripts: readonly ((s: string) => string)[] = [
  (s) => `
CREATE TABLE ${s}.parts (
  part bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  epoch text NOT NULL,
  head bigint NOT NULL DEFAULT 0,
  floor bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 50);

CREATE TABLE ${s}.events (
  part bigint NOT NULL,
  seq bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (part, seq)
);

CREATE TABLE ${s}.rows (
  "row" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  part bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  due bigint,
  tags text[],
  data text NOT NULL,
  UNIQUE (part, kind, id)
);
CREATE INDEX rows_due ON ${s}.rows (kind, due, "row") WHERE due IS NOT NULL;

CREATE TABLE ${s}.tags (
  tag text COLLATE "C" NOT NULL,
  "row" bigint NOT NULL,
  PRIMARY KEY (tag, "row")
);

-- Who committed where, for those who cannot LISTEN. Hints only, hence without a log: a crash may empty it.
CREATE UNLOGGED TABLE ${s}.changes (
  xid bigint NOT NULL,
  at timestamptz NOT NULL,
  author text NOT NULL,
  names text[] NOT NULL
);
CREATE INDEX changes_xid ON ${s}.changes (xid);

${commitFunction(s)}
${readFunctions(s)}
`,
]

/** The version that this release writes. */
export const SCHEMA_VERSION = scripts.length

/** Returns the statements that migrate from one version to the newest, without a transaction around them. */
export function migrationSql(schema: string, from: number): string {
  const s = quoteSchema(schema)
  const first = `
CREATE SCHEMA IF NOT EXISTS ${s};
CREATE TABLE ${s}.meta (version integer NOT NULL);
INSERT INTO ${s}.meta VALUES (0);
`
  const steps = scripts.slice(from).map((script) => script(s))
  return `${from === 0 ? first : ''}${steps.join('')}
UPDATE ${s}.meta SET version = ${SCHEMA_VERSION};
`
}

/**
 * Accepts only names that mean the same quoted and unquoted, because the name is also used in the name of the channel.
 */
export function quoteSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) return `"${schema}"`
  throw new TypeError(
    `The schema name ${JSON.stringify(schema)} cannot be used: up to 40 lower-case letters, digits and "_", not beginning with a digit.`,
  )
}

/**
 * Returns the SQL that creates the schema of `postgresStore`, for teams that run their own migrations. Pass `migrate:
 * false` to the store then. `from` is the version of the existing schema.
 *
 * @example
 * writeFileSync('migrations/0042_holdpoint.sql', postgresSchemaSql({ schema: 'holdpoint' }))
 */
export function postgresSchemaSql(options: { schema?: string; from?: number } = {}): string {
  return `BEGIN;\n${migrationSql(options.schema ?? 'holdpoint', options.from ?? 0)}COMMIT;\n`
}
