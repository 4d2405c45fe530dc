-- What an open alert waits for: [] when it is certain, else up to three of {"kind": "waits_for_review", "checkpost", "at"} (a vehicle that
-- may be the one), {"kind": "unwatched", "checkpost", "from", "at"} (nobody knows who passed there until then), or
-- {"kind": "reviews_unknown", "checkpost"} (that post doesn't tell, or has stopped telling). A vehicle whose direction no camera saw may have
-- come out here: its entry is there, within the longest time before, and may wait or be lost.
-- Called by raise_overstay_alerts and renew_doubts.
create or replace function checkpost.overstay_doubts(plate text, entered timestamptz, travel text, deadline timestamptz, word checkpost.post_word)
    returns jsonb
    language sql immutable set search_path = '' as $$
    select case when word.told is null
        then jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('kind', 'reviews_unknown', 'checkpost', word.code)))
        else (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                'kind', case when d.unwatched_from is null then 'waits_for_review' else 'unwatched' end, 'checkpost', word.code,
                'from', to_char(d.unwatched_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'at', to_char(d.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) order by d.unwatched_from is not null, d.at), '[]')
            from (select w.at, w.unwatched_from from unnest(word.seen, word.plates, word.unwatched_from) w (at, plate, unwatched_from)
                where w.at > case when travel is null then entered - (deadline - entered) else entered end
                    and checkpost.may_be_plate(w.plate, overstay_doubts.plate) order by w.unwatched_from is not null, w.at limit 3) d)
    end
$$;

revoke all on function checkpost.overstay_doubts(text, timestamp with time zone, text, timestamp with time zone, checkpost.post_word)
    from public, anon, authenticated, service_role, authenticator;
