-- Another door to checkpost.receive_sms, where Supabase's REST interface finds it (/rest/v1/rpc/receive_sms). For the service alone:
-- whoever calls this has checked the signature of the SMS provider.
-- Called by edge functions.
create or replace function public.receive_sms(message text, sender text, message_sid text) returns jsonb
    language sql volatile security definer set search_path = '' as $$ select checkpost.receive_sms($1, $2, $3) $$;

revoke all on function public.receive_sms(text, text, text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.receive_sms(text, text, text) to service_role;
