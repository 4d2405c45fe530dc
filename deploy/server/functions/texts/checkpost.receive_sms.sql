-- The function `sms-webhook`, after its signature was checked. What comes from a number that is not the post's accuses nobody before the upload
-- follows. Every message is kept with what became of it, also one that the tables refuse; one delivered again under its message_sid is kept
-- once. An unsigned text that two numbers have sent confirms neither of them, and says so to the warden.
-- Called by public.hand_in_text, public.receive_sms and the gateway.
create or replace function checkpost.receive_sms(message text, sender text, message_sid text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    outcome jsonb;
    complaint text;
    identity uuid := checkpost.uuid_v5(checkpost.sms_namespace(), checkpost.sms_text(message));
    passage uuid;
begin
    begin
        if checkpost.is_signed_text(checkpost.sms_text(message)) then
            outcome := checkpost.record_signed_sms(checkpost.sms_text(message), sender);
        elsif starts_with(checkpost.sms_text(message), 'A2.') then
            outcome := checkpost.record_answer(checkpost.sms_text(message));
        else
            outcome := checkpost.record_sms(checkpost.sms_text(message), sender, null);
        end if;
    exception when check_violation then
        get stacked diagnostics complaint = message_text;
        outcome := jsonb_build_object('result', 'refused', 'reason', complaint);
    end;
    passage := outcome ->> 'passage_id';
    -- A signed one is its post's, by whatever way it comes.
    if not checkpost.is_signed_text(checkpost.sms_text(message)) and checkpost.is_contested_text(identity, passage, sender) then
        delete from public.sms_senders s where s.sms_client_id = identity;
        outcome := outcome || jsonb_build_object('reason', 'another number has sent this text');
    elsif outcome ->> 'confirmed_post' is not null then
        perform checkpost.learn_number((outcome ->> 'confirmed_post')::uuid, sender, identity, passage);
    end if;
    outcome := outcome - 'confirmed_post';
    insert into public.sms_messages (message_sid, sender, body, result, reason, passage_id, checkpost_id, text_number)
    values (left(nullif(message_sid, ''), 100), left(sender, 100), left(coalesce(message, ''), 1700),
        outcome ->> 'result', outcome ->> 'reason', passage, (outcome ->> 'checkpost_id')::uuid, (outcome ->> 'text_number')::bigint)
    on conflict do nothing;
    return outcome - 'checkpost_id' - 'text_number';
end
$$;

revoke all on function checkpost.receive_sms(text, text, text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.receive_sms(text, text, text) to authenticator;
