// @ts-check
// What the functions have in common: a call of a function in the database through the project's REST interface, and answers as a
// box knows them from the park's own server. Plain JavaScript, so that it runs and is tested outside of Deno as well.

/** The longest body that any of them takes. */
const LONGEST_BODY = 65536;

/** @param {unknown} value @param {number} status */
export const json = (value, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json; charset=utf-8" } });

/** Reads a body as text; null when it is too long. @param {Request} request */
export async function bodyOf(request) {
  if (Number(request.headers.get("content-length") ?? 0) > LONGEST_BODY) return null;
  // What doesn't say its length is counted as it comes.
  const parts = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.byteLength;
    if (length > LONGEST_BODY) return null;
    parts.push(part);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return new TextDecoder().decode(whole);
}

/**
 * Calls a function in the database.
 * @param {Record<string, string>} env the project's settings
 * @param {string} name
 * @param {string} body
 * @param {{ apikey: string, authorization: string }} keys in whose name
 */
export const call = (env, name, body, keys) =>
  fetch(`${env.SUPABASE_URL}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { ...keys, "content-type": "application/json", accept: "application/json" },
    body,
    signal: AbortSignal.timeout(20000),
  });

/**
 * Hands a request on to a function in the database, in the caller's name: who may what stands there.
 * @param {Request} request
 * @param {Record<string, string>} env
 * @param {string} name
 * @param {number} status of a good answer
 */
export async function forward(request, env, name, status = 200) {
  if (request.method !== "POST") return json({ error: "Only POST is answered here" }, 405);
  const authorization = request.headers.get("authorization");
  if (!authorization) return json({ error: "This needs a signed-in user" }, 401);
  const body = await bodyOf(request);
  if (body === null) return json({ error: `The body has more than ${LONGEST_BODY} bytes` }, 413);
  const isObject = (() => {
    try {
      const value = JSON.parse(body || "{}");
      return typeof value === "object" && value !== null && !Array.isArray(value);
    } catch {
      return false;
    }
  })();
  if (!isObject) return json({ error: "The body is not a JSON object" }, 400);
  try {
    const answer = await call(env, name, body || "{}", { apikey: env.SUPABASE_ANON_KEY, authorization });
    const value = await answer.json();
    if (answer.ok) return json(value, status);
    return json({ error: value?.message ?? "The database refused it" }, answer.status);
  } catch (error) {
    console.error(name, error);
    return json({ error: "The database does not answer" }, 503);
  }
}
