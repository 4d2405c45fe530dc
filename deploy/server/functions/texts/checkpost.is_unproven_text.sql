-- Whether a passage came by a text alone whose time is trusted by nobody, perhaps a stranger's: no match before its upload. A text's row has
-- an id that follows from the text (UUID version 5) until the upload brings its own. Decision note 0244.
-- Called by alike_passages, doubtful_pairs, match_candidates, match_passage, on_passage_facts, on_passage_match, pairs_around, record_sms and
-- unproven_texts.
create or replace function checkpost.is_unproven_text(client_id uuid, clock_state text) returns boolean
    language plpgsql immutable set search_path = '' as $$
begin
    return coalesce(clock_state = 'untrusted', false) and substring(client_id::text, 15, 1) = '5';
end
$$;

revoke all on function checkpost.is_unproven_text(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
