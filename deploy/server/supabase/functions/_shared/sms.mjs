// @ts-check
// The SMS provider's webhook. Its signature is HMAC-SHA1 over the address that it called and the form's fields, sorted by name, in
// base64 (Twilio, "Validating signatures"). Example: the address https://a/ with B=2 and A=1 is signed as https://a/A1B2.

import { bodyOf, call, json } from "./rpc.mjs";

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** Twilio sorts names by their bytes; JavaScript compares UTF-16. @param {string} one @param {string} other */
function compare(one, other) {
  const [a, b] = [bytes(one), bytes(other)];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return a[index] - b[index];
  }
  return a.length - b.length;
}

/**
 * @param {string} signature @param {string} token @param {string} url @param {[string, string][]} fields
 */
export async function isSigned(signature, token, url, fields) {
  let given;
  try {
    given = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
  } catch {
    return false;
  }
  const text = url + [...fields].sort((a, b) => compare(a[0], b[0])).map(([name, value]) => name + value).join("");
  const key = await crypto.subtle.importKey("raw", bytes(token), { name: "HMAC", hash: "SHA-1" }, false, ["verify"]);
  // It takes the same time wherever the two differ.
  return await crypto.subtle.verify("HMAC", key, given, bytes(text));
}

/** @param {Request} request @param {Record<string, string>} env */
export async function receiveSMS(request, env) {
  const refusal = json({ error: "The signature is not valid" }, 403);
  if (request.method !== "POST") return json({ error: "Only POST is answered here" }, 405);
  if (!env.TWILIO_AUTH_TOKEN) {
    console.error("An SMS was refused: the secret TWILIO_AUTH_TOKEN is not set.");
    return refusal;
  }
  const body = await bodyOf(request);
  if (body === null) return json({ error: "The body is too long" }, 413);
  const fields = [...new URLSearchParams(body)];
  // The request's own address is the project's inner one; what the provider was given is the setting, or the project's address.
  const url = env.SMS_PUBLIC_URL || `${env.SUPABASE_URL}/functions/v1/sms-webhook`;
  const signature = request.headers.get("x-twilio-signature") ?? "";
  if (!signature || !(await isSigned(signature, env.TWILIO_AUTH_TOKEN, url, fields))) return refusal;

  const field = (/** @type {string} */ name) => fields.find(([key]) => key === name)?.[1] ?? null;
  // PostgreSQL has no zero in a text; a message that has one is wrong in any case.
  const clean = (/** @type {string | null} */ text) => text?.replaceAll("\0", "\ufffd") ?? null;
  const message = JSON.stringify({
    message: clean(field("Body")) ?? "", sender: clean(field("From")), message_sid: clean(field("MessageSid")),
  });
  const key = env.SUPABASE_SERVICE_ROLE_KEY;
  try {
    const answer = await call(env, "receive_sms", message, { apikey: key, authorization: `Bearer ${key}` });
    if (!answer.ok) throw new Error(`status ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
  } catch (error) {
    console.error("sms", error);
    // The provider tries again, or tells its account's owner.
    return json({ error: "The database does not answer" }, 503);
  }
  return new Response('<?xml version="1.0" encoding="UTF-8"?><Response></Response>', {
    headers: { "content-type": "text/xml; charset=utf-8" },
  });
}
