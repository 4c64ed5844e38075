/** The information in the headers of an answer. */

/** @param {Response} response */
export function tellingOf({ status, headers }) {
  const total = headers.get('x-total-count');
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    etag: headers.get('etag') ?? undefined,
    changeSet: headers.get('change-set') ?? undefined,
    isReplayed: headers.get('idempotent-replayed') === 'true',
    isDryRun: headers.get('dry-run') === 'true',
    total: total === null ? undefined : Number(total),
    rateLimit: rateLimitIn(headers),
    warnings: warningsIn(headers.get('warning') ?? ''),
  };
}

/** @param {Headers} headers */
function rateLimitIn(headers) {
  const policy = headers.get('x-ratelimit-policy');
  if (policy === null) return undefined;
  return {
    policy,
    limit: Number(headers.get('x-ratelimit-limit')),
    remaining: Number(headers.get('x-ratelimit-remaining')),
    reset: new Date(Number(headers.get('x-ratelimit-reset')) * 1000),
  };
}

/**
 * `299 - "text", 299 - "text"` as texts; what is not ASCII travels percent-encoded.
 * @param {string} header
 */
function warningsIn(header) {
  return Array.from(header.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, text = '']) =>
    text.replace(/\\(.)/g, '$1').replace(/(?:%[89A-F][0-9A-F])+/gi, decoded),
  );
}

/** @param {string} encoded */
function decoded(encoded) {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
