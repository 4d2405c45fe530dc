-- A client is a request in one of the two roles that row level security holds for. The setting outlives the change of user inside a
-- `security definer` function; current_user does not. While public.hand_in_text runs, what is written is the word of the posts whose texts
-- they are, as when they come by SMS.
-- Called by add_road, ask_post, change_passage, change_road, check_change, create_ranger, drop_road_plan, end_listing, end_second_factor, end_session,
-- judge_vehicles, list_plate, match_passage, move_account, on_alert_delivered, on_outcome_change, on_passage_insert, on_passage_stored, people,
-- photo_place, post_question_list, put_outcome, put_settings, put_text_key, require_post, resolve_alert, road_if, roads, set_account_active, set_password,
-- text_key_state and undo_pair_change.
create or replace function checkpost.is_client() returns boolean
    language plpgsql stable set search_path = '' as $$
begin
    return coalesce(current_setting('role', true), 'none') in ('anon', 'authenticated')
        and coalesce(current_setting('checkpost.hands_in', true), '') <> 'yes';
end
$$;

revoke all on function checkpost.is_client()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_client() to authenticated, service_role;
