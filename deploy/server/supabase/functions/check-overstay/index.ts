// Raises overstay alerts; for the service role alone.
import { forward } from "../_shared/rpc.mjs";

Deno.serve((request: Request) => forward(request, Deno.env.toObject(), "check_overstay"));
