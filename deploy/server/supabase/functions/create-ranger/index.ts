// A warden makes an account with its profile.
import { forward } from "../_shared/rpc.mjs";

Deno.serve((request: Request) => forward(request, Deno.env.toObject(), "create_ranger", 201));
