-- The round asks what waits for review at the other post, as the boxes do: Tests/Contract/overstays.json holds both to the same
-- answers, and decision note 0183 says what was settled.

-- What an open alert waits for: [] when it is certain, else up to three of
-- {"kind": "waits_for_review", "checkpost": "BNP-B", "at": "2026-11-21T10:00:00.000Z"} (a vehicle that may be the one) or
-- {"kind": "reviews_unknown", "checkpost": "BNP-B"} (that post doesn't tell, or has stopped telling).
alter table public.proactive_overstay_alerts
    add column doubts jsonb not null default '[]' check (jsonb_typeof(doubts) = 'array'),
    add column is_doubtful boolean generated always as (doubts <> '[]'::jsonb) stored;

-- A time that somebody wrote, or null where it is none: what a post tells must not end the round.
create function checkpost.time_or_null(value text) returns timestamptz
    language plpgsql immutable set search_path = '' set timezone = 'UTC' as $$
begin
    if value !~ '^[0-9]{4}-' then return null; end if;
    return value::timestamptz;
exception when data_exception then
    return null;
end
$$;

-- How many characters must be put in, taken out or exchanged to make one text the other. Texts are plates: 40 characters count.
create function checkpost.edit_distance(one text, other text) returns integer
    language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
    a text[] := string_to_array(left(one, 40), null);
    b text[] := string_to_array(left(other, 40), null);
    line integer[] := array(select generate_series(1, cardinality(b)));
    diagonal integer;
    before integer;
    above integer;
begin
    if cardinality(a) = 0 or cardinality(b) = 0 then return greatest(cardinality(a), cardinality(b)); end if;
    for i in 1..cardinality(a) loop
        diagonal := i - 1;
        before := i;
        for j in 1..cardinality(b) loop
            above := line[j];
            before := least(above + 1, before + 1, diagonal + (a[i] <> b[j])::integer);
            diagonal := above;
            line[j] := before;
        end loop;
    end loop;
    return before;
end
$$;

-- Whether a vehicle that waits for review may turn out to have this plate. What was read may be wrong in three characters of nine, have
-- gaps, be a part of it, or be next to nothing: BA1PA12?4, 8A1PA1234, PA1234 and '' may be BA1PA1234; UP32AB9876 may not.
create function checkpost.may_be_plate(seen text, plate text) returns boolean
    language sql immutable strict parallel safe set search_path = '' as $$
    select case
        when length(t.read) < 4 or length(t.read) * 2 <= length(t.seen) or position(t.read in t.plate) > 0 then true
        else checkpost.edit_distance(translate(t.seen, 'OQI', '001'), translate(t.plate, 'OQI', '001'))::numeric
            <= 0.35 * greatest(length(t.seen), length(t.plate))
    end
    from (select checkpost.compact_plate(left(seen, 32)) as seen, checkpost.compact_plate(plate) as plate,
        replace(checkpost.compact_plate(left(seen, 32)), '?', '') as read) t
$$;

-- What is known here of a post when the other post's entries are judged.
create type checkpost.post_word as (
    code text,
    -- Its passages are here up to this moment.
    known timestamptz,
    -- When it said last what waits for review; null when it doesn't tell, or has stopped telling.
    told timestamptz,
    seen timestamptz[],
    plates text[]
);

-- A post sends in order: when one of its uploads is here, so is what it recorded before. A text proves nothing of that, nor does a
-- time ahead of ours. A post that never told is taken to be known up to now: it speaks the published schema only.
create function checkpost.word_of(post uuid, at timestamptz) returns checkpost.post_word
    language plpgsql stable security definer set search_path = '' as $$
declare
    word checkpost.post_word;
    reviews public.post_reviews;
begin
    select c.code into word.code from public.checkposts c where c.id = post;
    select r.* into reviews from public.post_reviews r where r.checkpost_id = post;
    if reviews.checkpost_id is null then
        word.known := at;
        return word;
    end if;
    select p.recorded_at into word.known from public.vehicle_passages p
        where p.checkpost_id = post and p.recorded_at <= at and p.recorded_at > at - interval '60 days' and p.source <> 'sms'
            and p.clock_state is distinct from 'untrusted'
        order by p.recorded_at desc limit 1;
    word.told := least(reviews.as_of, at);
    -- Its passages came for a day, and no word of its reviews.
    if word.known > word.told and at - word.told > interval '24 hours' then
        word.told := null;
        return word;
    end if;
    select array_agg(w.seen_at), array_agg(w.plate) into word.seen, word.plates
    from (select checkpost.time_or_null(v ->> 'at') as seen_at, coalesce(v ->> 'plate', '') as plate
        from jsonb_array_elements(reviews.waiting) v where jsonb_typeof(v) = 'object') w
    where isfinite(w.seen_at);
    return word;
end
$$;

-- Whether an alert waits for the other post's ranger: a vehicle that passed there in time may be the one. Not for longer than a
-- shift: a review that nobody does must not hide a poacher.
create function checkpost.is_overstay_held(plate text, entered timestamptz, deadline timestamptz, word checkpost.post_word)
    returns boolean language sql immutable set search_path = '' as $$
    select word.told - deadline <= interval '12 hours' and exists (
        select from unnest(word.seen, word.plates) w (at, plate)
        where w.at > entered and w.at <= deadline and checkpost.may_be_plate(w.plate, is_overstay_held.plate))
$$;

create function checkpost.overstay_doubts(plate text, entered timestamptz, word checkpost.post_word) returns jsonb
    language sql immutable set search_path = '' as $$
    select case when word.told is null
        then jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('kind', 'reviews_unknown', 'checkpost', word.code)))
        else (select coalesce(jsonb_agg(jsonb_build_object('kind', 'waits_for_review', 'checkpost', word.code,
                'at', to_char(d.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by d.at), '[]')
            from (select w.at from unnest(word.seen, word.plates) w (at, plate)
                where w.at > entered and checkpost.may_be_plate(w.plate, overstay_doubts.plate) order by w.at limit 3) d)
    end
$$;

-- One small step, as before: at most so many alerts, none older than a month. An entry is due when its longest time is over, the other
-- post is known up to then, has said what waits there, and no vehicle that waits may be the one.
create function checkpost.check_overstay(at_most integer, at timestamptz) returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    post public.checkposts;
    road public.highway_segments;
    word checkpost.post_word;
    longest interval;
    made integer;
    total integer := 0;
begin
    perform checkpost.match_leftovers();
    for post in select c.* from public.checkposts c order by c.segment_id, c.id loop
        select s.* into road from public.highway_segments s where s.id = post.segment_id;
        word := checkpost.word_of((select c.id from public.checkposts c
            where c.segment_id = post.segment_id and c.id <> post.id order by c.id limit 1), at);
        longest := checkpost.longest_time(road);
        with due as (
            select p.id, p.plate_number, p.vehicle_type, p.recorded_at from public.vehicle_passages p
            where p.segment_id = road.id and p.checkpost_id = post.id and p.matched_passage_id is null
                and p.clock_state is distinct from 'untrusted'
                and p.recorded_at < at - longest and p.recorded_at >= at - longest - interval '30 days'
                -- Nothing is due while nothing is known.
                and p.recorded_at <= word.known - longest and p.recorded_at <= coalesce(word.told, word.known) - longest
                and not exists (select from public.proactive_overstay_alerts a where a.entry_passage_id = p.id)
                and checkpost.is_overstay_held(p.plate_number, p.recorded_at, p.recorded_at + longest, word) is not true
            order by p.recorded_at limit at_most - total for no key update of p skip locked
        )
        insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
            expected_exit_by, doubts)
        select d.id, road.id, d.plate_number, d.vehicle_type, d.recorded_at, d.recorded_at + longest,
            checkpost.overstay_doubts(d.plate_number, d.recorded_at, word)
        from due d on conflict (entry_passage_id) do nothing;
        get diagnostics made = row_count;
        total := total + made;
        exit when total >= at_most;
    end loop;
    return total;
end
$$;

create or replace function checkpost.check_overstay(at_most integer) returns integer
    language sql volatile security definer set search_path = '' as $$ select checkpost.check_overstay(at_most, now()) $$;

-- A ranger's word at the other post ends a doubt, and a vehicle that waits there since is one. The newest open alerts are asked again.
create function checkpost.renew_doubts(at timestamptz) returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    post public.checkposts;
    word checkpost.post_word;
    renewed integer;
    total integer := 0;
begin
    for post in select c.* from public.checkposts c order by c.segment_id, c.id loop
        word := checkpost.word_of((select c.id from public.checkposts c
            where c.segment_id = post.segment_id and c.id <> post.id order by c.id limit 1), at);
        with newest as (
            select a.id, checkpost.overstay_doubts(a.plate_number, a.entry_time, word) as doubts
            from public.proactive_overstay_alerts a join public.vehicle_passages p on p.id = a.entry_passage_id
            where a.segment_id = post.segment_id and p.checkpost_id = post.id and not a.resolved
                and a.created_at > at - interval '30 days'
            order by a.created_at desc limit 200
        )
        update public.proactive_overstay_alerts a set doubts = n.doubts from newest n where n.id = a.id and a.doubts <> n.doubts;
        get diagnostics renewed = row_count;
        total := total + renewed;
    end loop;
    return total;
end
$$;

create or replace function checkpost.check_overstay() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    made integer := checkpost.check_overstay(500);
begin
    if made < 500 then
        perform checkpost.renew_doubts(now());
        perform checkpost.drop_old_logs();
        delete from checkpost.recent_writers w
            where w.writer < pg_snapshot_xmin(pg_current_snapshot()) or w.writer > pg_current_xact_id();
    end if;
    return made;
end
$$;

revoke all on function checkpost.time_or_null(text), checkpost.edit_distance(text, text), checkpost.may_be_plate(text, text),
    checkpost.word_of(uuid, timestamptz), checkpost.renew_doubts(timestamptz),
    checkpost.is_overstay_held(text, timestamptz, timestamptz, checkpost.post_word),
    checkpost.overstay_doubts(text, timestamptz, checkpost.post_word), checkpost.check_overstay(integer, timestamptz)
    from public, anon, authenticated, service_role;
