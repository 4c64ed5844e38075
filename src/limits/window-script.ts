/**
 * The Lua script for windows in a store, which handles a request in one call. A log is a string: the ring's start, its
 * count, its oldest and newest time, then the ring with four bytes per time, in milliseconds modulo 2^32. So it takes 16
 * bytes plus four per request up to the limit, and the server may reserve twice that. Times are the store's, so that all
 * processes use one clock. If that clock goes back by more than a second, logs ahead of it are dropped, so that nobody is
 * shut out until it has caught up. KEYS: the buckets, then those beside. ARGV: `take` or `look`; the number of buckets; the
 * time in milliseconds, or '' for the store's; then for each key its limit and its window in milliseconds. The answer, for
 * each bucket: whether it admits, the number of counted requests, and the milliseconds until the oldest leaves, or -1 if
 * there is none. If a request is refused, the buckets are reported as they are.
 */
export const windowScript = `
local act, buckets, now = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local span = 4294967296
local head = 16

local function time_at(log, index)
  local place = head + 4 * ((log.first + index) % log.limit)
  return struct.unpack('>I4', redis.call('GETRANGE', log.key, place, place + 3))
end

local function gone(log, time)
  return (log.now - time) % span >= log.window
end

-- Mostly one or two have gone: in ever wider steps, then by halves.
local function drop_gone(log)
  local last, step = 0, 1
  while last + step < log.count and gone(log, time_at(log, last + step)) do
    last = last + step
    step = step * 2
  end
  local live = math.min(last + step, log.count)
  while live - last > 1 do
    local middle = math.floor((last + live) / 2)
    if gone(log, time_at(log, middle)) then last = middle else live = middle end
  end
  log.count = log.count - live
  log.first = (log.first + live) % log.limit
  if log.count > 0 then log.oldest = time_at(log, 0) end
end

local function opened(at)
  local log = { key = KEYS[at], limit = tonumber(ARGV[2 * at + 2]), window = tonumber(ARGV[2 * at + 3]) }
  log.now, log.first, log.count = now % span, 0, 0
  local known = redis.call('GETRANGE', log.key, 0, head - 1)
  if #known < head then return log end
  log.isThere = true
  log.first, log.count, log.oldest, log.newest = struct.unpack('>I4I4I4I4', known)
  local ahead = (log.newest - log.now) % span
  if ahead <= 1000 then
    log.now = log.newest
  elseif ahead < span / 2 then
    log.count = 0
  end
  if log.count > 0 and gone(log, log.oldest) then drop_gone(log) end
  return log
end

local function write(log)
  redis.call('SETRANGE', log.key, 0, struct.pack('>I4I4I4I4', log.first, log.count, log.oldest, log.newest))
end

local function add(log)
  if log.count == 0 then
    if log.isThere then redis.call('DEL', log.key) end
    log.first, log.oldest = 0, log.now
  end
  redis.call('SETRANGE', log.key, head + 4 * ((log.first + log.count) % log.limit), struct.pack('>I4', log.now))
  log.count, log.newest = log.count + 1, log.now
  write(log)
  redis.call('PEXPIRE', log.key, log.window)
end

local function drop_newest(log)
  if log.count > 1 then
    log.count = log.count - 1
    log.newest = time_at(log, log.count - 1)
    write(log)
  elseif log.isThere then
    redis.call('DEL', log.key)
  end
end

local logs, admitted = {}, true
for at = 1, buckets do
  logs[at] = opened(at)
  logs[at].admits = logs[at].count < logs[at].limit
  admitted = admitted and logs[at].admits
end
if act == 'take' then
  for at = 1, admitted and buckets or 0 do add(logs[at]) end
  for at = buckets + 1, admitted and 0 or #KEYS do drop_newest(opened(at)) end
end
local told = {}
for at = 1, buckets do
  local log = logs[at]
  told[3 * at - 2] = log.admits and 1 or 0
  told[3 * at - 1] = log.count
  told[3 * at] = log.count > 0 and log.window - (log.now - log.oldest) % span or -1
end
return told
`;
