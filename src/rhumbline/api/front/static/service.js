// The service's own API, asked as anybody may: no key, this origin only.

export class ServiceError extends Error {
  constructor(message, status, faults) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

/** Asks a path below /v1; answers `{body, limit}`, where `limit` says what of the public tier is left. */
export async function ask(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  let response;
  try {
    response = await fetch(search ? `${path}?${search}` : path, { headers: { accept: "application/json" } });
  } catch {
    throw new ServiceError("The service does not answer. Look whether you are online, then try again", 0, []);
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return { body, limit: limitOf(response.headers) };
  const listed = body?.details?.message;
  const wait = response.headers.get("retry-after");
  const advice = wait ? ` (try again in ${wait} s)` : "";
  throw new ServiceError(`${body?.message ?? `The service answered ${response.status}`}${advice}`, response.status, Array.isArray(listed) ? listed : []);
}

function limitOf(headers) {
  const [limit, left, resets] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
  return limit && left ? { limit: Number(limit), left: Number(left), resets: resets ? new Date(resets) : null } : null;
}
