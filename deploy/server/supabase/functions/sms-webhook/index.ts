// Takes texts from the SMS provider: what `sms.auth_token` is for the park's own server is the secret TWILIO_AUTH_TOKEN here.
import { receiveSMS } from "../_shared/sms.mjs";

Deno.serve((request: Request) => receiveSMS(request, Deno.env.toObject()));
