-- Which version of texts the server wants from the caller's post: {"version": "V1"}, or {"version": "V2", "number", "secret", "last_text_number"} with
-- the newest key in force, in hexadecimal digits, and the highest number of a text that came with it. That it was fetched is noted. For posts alone.
-- Called by clients.
create or replace function public.text_key() returns jsonb
    language plpgsql volatile security definer set search_path = '' as $$
declare
    post uuid := checkpost.my_checkpost();
    key checkpost.text_keys;
begin
    if post is null then raise exception 'only a post has a key for its texts' using errcode = 'PT403'; end if;
    select * into key from checkpost.text_keys k where k.checkpost_id = post and k.ended_at is null order by k.number desc limit 1;
    if not found then return jsonb_build_object('version', 'V1'); end if;
    update checkpost.text_keys k set taken_at = now() where k.id = key.id and k.taken_at is null;
    return jsonb_build_object('version', 'V2', 'number', key.number, 'secret', encode(key.secret, 'hex'),
        'last_text_number', key.last_text_number);
end
$$;

revoke all on function public.text_key()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.text_key() to authenticated;
