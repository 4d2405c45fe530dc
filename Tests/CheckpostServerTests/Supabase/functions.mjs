// Runs the edge functions' logic in Node against a REST interface on loopback that remembers what it was asked.
//   node functions.mjs FOLDER URL SIGNATURE BODY     the signature is of that address and form, by the server's own code
// Prints nothing and exits with 0 when all holds.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { webcrypto } from "node:crypto";
import { pathToFileURL } from "node:url";

// Node 18 has it under another name.
globalThis.crypto ??= webcrypto;

const [folder, url, signature, form] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${folder}/_shared/${name}`).href);
const { forward } = await load("rpc.mjs");
const { receiveSMS, isSigned } = await load("sms.mjs");
console.error = () => {};

const asked = [];
let next = { status: 200, body: { matched: true, violation: null } };
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  asked.push({ method: request.method, path: request.url, headers: request.headers, body });
  response.writeHead(next.status, { "content-type": "application/json" }).end(JSON.stringify(next.body));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const env = {
  SUPABASE_URL: `http://127.0.0.1:${server.address().port}`, SUPABASE_ANON_KEY: "anon", SUPABASE_SERVICE_ROLE_KEY: "service",
  TWILIO_AUTH_TOKEN: "twilio-token", SMS_PUBLIC_URL: url,
};
const post = (body, headers = {}) => new Request("http://inner/", { method: "POST", body, headers, duplex: "half" });
const signed = { authorization: "Bearer user" };

// A call in the caller's name, and its answer.
let answer = await forward(post('{"entry_passage_id":"a","exit_passage_id":"b"}', signed), env, "match_passage");
assert.equal(answer.status, 200);
assert.deepEqual(await answer.json(), { matched: true, violation: null });
assert.equal(asked.at(-1).path, "/rest/v1/rpc/match_passage");
assert.equal(asked.at(-1).headers.authorization, "Bearer user");
assert.equal(asked.at(-1).headers.apikey, "anon");
assert.equal(asked.at(-1).body, '{"entry_passage_id":"a","exit_passage_id":"b"}');
answer = await forward(post("", signed), env, "check_overstay");
assert.equal(asked.at(-1).body, "{}");
answer = await forward(post("{}", signed), env, "create_ranger", 201);
assert.equal(answer.status, 201);

// A refusal has the database's status and words, in the form of the functions.
next = { status: 409, body: { code: "PT409", message: "a passage is matched already", details: null, hint: null } };
answer = await forward(post("{}", signed), env, "match_passage");
assert.equal(answer.status, 409);
assert.deepEqual(await answer.json(), { error: "a passage is matched already" });

// What never reaches the database.
const before = asked.length;
const long = new ReadableStream({
  pull(controller) { controller.enqueue(new Uint8Array(65536)); },
});
for (const [request, status] of [
  [post("{}"), 401], [post("[]", signed), 400], [post("null", signed), 400], [post("{", signed), 400],
  [post(JSON.stringify({ a: "x".repeat(70000) }), signed), 413], [post(long, signed), 413],
  [new Request("http://inner/", { headers: signed }), 405],
]) assert.equal((await forward(request, env, "match_passage")).status, status);
for (const [request, settings, status] of [
  [post(form, {}), env, 403], [post(form, { "x-twilio-signature": "AAAA" }), env, 403],
  [post(form, { "x-twilio-signature": "no base64!" }), env, 403],
  [post(form + "&More=1", { "x-twilio-signature": signature }), env, 403],
  [post(form, { "x-twilio-signature": signature }), { ...env, SMS_PUBLIC_URL: "" }, 403],
  [post(form, { "x-twilio-signature": signature }), { ...env, TWILIO_AUTH_TOKEN: "" }, 403],
  [post("x".repeat(70000), { "x-twilio-signature": signature }), env, 413],
]) assert.equal((await receiveSMS(request, settings)).status, status);
assert.equal(asked.length, before);

// A text that was signed.
next = { status: 200, body: { result: "inserted" } };
answer = await receiveSMS(post(form, { "x-twilio-signature": signature }), env);
assert.equal(answer.status, 200);
assert.match(await answer.text(), /<Response><\/Response>$/);
assert.equal(asked.at(-1).path, "/rest/v1/rpc/receive_sms");
assert.equal(asked.at(-1).headers.authorization, "Bearer service");
const fields = new URLSearchParams(form);
assert.deepEqual(JSON.parse(asked.at(-1).body), {
  message: fields.get("Body"), sender: fields.get("From"), message_sid: fields.get("MessageSid"),
});
// Without a setting the address is the project's.
assert.equal(await isSigned(signature, "another token", url, [...fields]), false);

// The files that Deno is given, without their one type: each hands over to the right function.
const served = {};
globalThis.Deno = { env: { toObject: () => env }, serve: (handler) => { served.handler = handler; } };
const names = (await readdir(folder)).filter((name) => !name.startsWith("_")).sort();
assert.deepEqual(names, ["check-overstay", "create-ranger", "match-passage", "sms-webhook"]);
for (const name of names) {
  const text = await readFile(`${folder}/${name}/index.ts`, "utf8");
  const code = text.replace("(request: Request)", "(request)").replaceAll("../_shared/", `${pathToFileURL(folder).href}/_shared/`);
  await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const isSMS = name === "sms-webhook";
  next = { status: 200, body: {} };
  const given = isSMS ? post(form, { "x-twilio-signature": signature }) : post("{}", signed);
  assert.equal((await served.handler(given)).status, name === "create-ranger" ? 201 : 200);
  assert.equal(asked.at(-1).path, `/rest/v1/rpc/${isSMS ? "receive_sms" : name.replace("-", "_")}`);
}

// The database is gone: the provider is told to come again.
next = { status: 500, body: { message: "no" } };
assert.equal((await receiveSMS(post(form, { "x-twilio-signature": signature }), env)).status, 503);
await new Promise((done) => server.close(done));
server.closeAllConnections();
assert.equal((await forward(post("{}", signed), env, "match_passage")).status, 503);
