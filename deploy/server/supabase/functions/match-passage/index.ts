// A box proposes a match: {entry_passage_id, exit_passage_id}.
import { forward } from "../_shared/rpc.mjs";

Deno.serve((request: Request) => forward(request, Deno.env.toObject(), "match_passage"));
