import { createHash } from 'node:crypto'

/** A Lua script: one atomic step on one partition. */
export interface RedisScript {
  readonly lua: string
  readonly sha: string
}

const script = (lua: string): RedisScript => ({ lua, sha: createHash('sha1').update(lua).digest('hex') })

/**
 * The epoch that readers see identifies the history that this node serves. It consists of the partition's own part and
 * the id of the node's replication history. A replica that took over, or a server that restarted without its data, has
 * another id. Every reader is then reset, because its last events may be lost.
 */
const prelude = `
local function epochOf(base)
  if not base then return '0' end
  local id = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
  return base .. '-' .. string.sub(id, 1, 8)
end
local function parse(value)
  local version, nonce, due, size, rest = string.match(value, '^(%d+) (%S+) (%S+) (%d+) (.*)$')
  size = tonumber(size)
  return version, nonce, due, string.sub(rest, 1, size), string.sub(rest, size + 1)
end
`

/**
 * KEYS: meta, log, kinds, then rows and ids of each kind, then the lists of new index entries. ARGV: new epoch, wake
 * channel, partition, names of the kinds, scores and members of the new index entries, checks, puts, deletes, events;
 * each list after its length. Returns [0, kind, id] or [1, epoch, first, last, entries], where entries are the index
 * entries of replaced rows: kind, id, nonce, due, tags.
 */
export const commitScript = /* @__PURE__ */ script(`${prelude}
local at = 1
local function take() local value = ARGV[at]; at = at + 1; return value end
local function count() return tonumber(take()) end
local newBase, channel, partition = take(), take(), take()
local kinds = {}
for i = 1, count() do kinds[i] = take() end
local added = {}
for i = 1, count() do added[i] = { take(), take() } end
local function rowsKey(kind) return KEYS[2 + 2 * kind] end
local function idsKey(kind) return KEYS[3 + 2 * kind] end
local known = {}
local function row(kind, id)
  local key = kind .. ' ' .. id
  if known[key] == nil then known[key] = redis.call('HGET', rowsKey(kind), id) end
  return known[key]
end
local function version(kind, id)
  local value = row(kind, id)
  return value and string.match(value, '^%d+') or '0'
end
local conflict
local function expect(kind, id, wanted)
  if not conflict and wanted ~= '' and version(kind, id) ~= wanted then conflict = { 0, kinds[kind], id } end
end
for _ = 1, count() do expect(count(), take(), take()) end
local puts = {}
for i = 1, count() do
  local put = { kind = count(), id = take(), wanted = take(), nonce = take(), due = take(), tags = take(), data = take() }
  expect(put.kind, put.id, put.wanted)
  puts[i] = put
end
local deletes = {}
for i = 1, count() do
  local gone = { kind = count(), id = take(), wanted = take() }
  expect(gone.kind, gone.id, gone.wanted)
  deletes[i] = gone
end
if conflict then return conflict end
local events = count()

local base = redis.call('HGET', KEYS[1], 'base')
local changes = #puts > 0 or events > 0
if not base and changes then
  base = newBase
  redis.call('HSET', KEYS[1], 'base', base, 'head', '0', 'floor', '1')
end
local entries = {}
local function replaced(kind, id)
  local value = row(kind, id)
  if not value then return end
  local _, nonce, due, tags = parse(value)
  if due ~= '-' or tags ~= '[]' then
    for _, part in ipairs({ kinds[kind], id, nonce, due, tags }) do entries[#entries + 1] = part end
  end
end
for i, entry in ipairs(added) do redis.call('ZADD', KEYS[3 + 2 * #kinds + i], entry[1], entry[2]) end
for _, put in ipairs(puts) do
  replaced(put.kind, put.id)
  local value = string.format('%d', tonumber(version(put.kind, put.id)) + 1) .. ' ' .. put.nonce .. ' ' .. put.due .. ' '
    .. #put.tags .. ' ' .. put.tags .. put.data
  redis.call('HSET', rowsKey(put.kind), put.id, value)
  redis.call('ZADD', idsKey(put.kind), 0, put.id)
  redis.call('SADD', KEYS[3], kinds[put.kind])
end
for _, gone in ipairs(deletes) do
  replaced(gone.kind, gone.id)
  redis.call('HDEL', rowsKey(gone.kind), gone.id)
  redis.call('ZREM', idsKey(gone.kind), gone.id)
end
local head = tonumber(redis.call('HGET', KEYS[1], 'head') or '0')
local first = events > 0 and head + 1 or head
for _ = 1, events do
  head = head + 1
  redis.call('XADD', KEYS[2], string.format('%d-1', head), 'e', take())
end
if events > 0 then redis.call('HSET', KEYS[1], 'head', string.format('%d', head)) end
if changes or #deletes > 0 then redis.call('PUBLISH', channel, partition) end
return { 1, epochOf(base), first, head, entries }
`)

/** KEYS: the hashes of rows. ARGV: a field of each. → [seconds, micros, values]. */
export const loadScript = /* @__PURE__ */ script(`
local time = redis.call('TIME')
local values = {}
for i, id in ipairs(ARGV) do values[i] = redis.call('HGET', KEYS[i], id) end
return { time[1], time[2], values }
`)

/** KEYS: meta, log. ARGV: from, limit. → [epoch, head, floor, [[id, [field, json]]…]], consistent. */
export const readLogScript = /* @__PURE__ */ script(`${prelude}
local base, head, floor = unpack(redis.call('HMGET', KEYS[1], 'base', 'head', 'floor'))
if not base then return { '0', '0', '1', {} } end
return { epochOf(base), head, floor, redis.call('XRANGE', KEYS[2], ARGV[1] .. '-1', '+', 'COUNT', ARGV[2]) }
`)

/** KEYS: rows, ids. ARGV: after ('' from the start), limit. → id, value, id, value… */
export const listScript = /* @__PURE__ */ script(`
local from = ARGV[1] == '' and '-' or '(' .. ARGV[1]
local found = {}
local ids = redis.call('ZRANGEBYLEX', KEYS[2], from, '+', 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do
  found[#found + 1] = id
  found[#found + 1] = redis.call('HGET', KEYS[1], id)
end
return found
`)

/** KEYS: meta, log, then rows and ids of each kind. ARGV: limit, names. → [epoch, seconds, micros, head event, rows]. */
export const snapshotScript = /* @__PURE__ */ script(`${prelude}
local left = tonumber(ARGV[1])
local rows = {}
for i = 2, #ARGV do
  if left ~= 0 then
    local ids = redis.call('ZRANGEBYLEX', KEYS[2 * i], '-', '+', 'LIMIT', 0, left)
    if left > 0 then left = left - #ids end
    for _, id in ipairs(ids) do
      rows[#rows + 1] = ARGV[i]
      rows[#rows + 1] = id
      rows[#rows + 1] = redis.call('HGET', KEYS[2 * i - 1], id)
    end
  end
end
local time = redis.call('TIME')
return { epochOf(redis.call('HGET', KEYS[1], 'base')), time[1], time[2], redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1), rows }
`)

/** KEYS: meta, log. ARGV: before. The last event is kept, because cursors are checked against it. */
export const trimScript = /* @__PURE__ */ script(`
local head, floor = unpack(redis.call('HMGET', KEYS[1], 'head', 'floor'))
if not head then return 0 end
local before = math.min(tonumber(ARGV[1]), tonumber(head))
if before <= tonumber(floor) then return 0 end
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%d-1', before))
redis.call('HSET', KEYS[1], 'floor', string.format('%d', before))
return 1
`)

/**
 * KEYS: meta, log, the new log. ARGV: new epoch, then seq and JSON of each event. A stream's entries cannot be changed,
 * so the whole log is copied in one step: some milliseconds for a thousand events.
 */
export const rewriteScript = /* @__PURE__ */ script(`
if not redis.call('HGET', KEYS[1], 'base') then return 0 end
local other = {}
for i = 2, #ARGV, 2 do other[ARGV[i] .. '-1'] = ARGV[i + 1] end
redis.call('DEL', KEYS[3])
local from, page = '-', nil
repeat
  page = redis.call('XRANGE', KEYS[2], from, '+', 'COUNT', 500)
  for _, entry in ipairs(page) do
    redis.call('XADD', KEYS[3], entry[1], 'e', other[entry[1]] or entry[2][2])
    from = '(' .. entry[1]
  end
until #page < 500
if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('RENAME', KEYS[3], KEYS[2]) end
redis.call('HSET', KEYS[1], 'base', ARGV[1])
return 1
`)

/** KEYS: meta, log, kinds. ARGV: prefix of the partition's keys. → the content of the indexes, as in a commit. */
export const eraseScript = /* @__PURE__ */ script(`${prelude}
local entries = {}
for _, kind in ipairs(redis.call('SMEMBERS', KEYS[3])) do
  local rows, ids = ARGV[1] .. ':rows:' .. kind, ARGV[1] .. ':ids:' .. kind
  local pairsOf = redis.call('HGETALL', rows)
  for i = 1, #pairsOf, 2 do
    local _, nonce, due, tags = parse(pairsOf[i + 1])
    if due ~= '-' or tags ~= '[]' then
      for _, part in ipairs({ kind, pairsOf[i], nonce, due, tags }) do entries[#entries + 1] = part end
    end
  end
  redis.call('DEL', rows, ids)
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
return entries
`)
