-- What is known here of a post when the other post's entries are judged. A post sends in order: when one of its uploads is here, so is what
-- it recorded before; on a quiet road it says up to when that is so. A text proves nothing of that, nor does a time ahead of ours. A post
-- that never told is taken to be known up to now: it speaks the published schema only.
-- Called by raise_overstay_alerts and renew_doubts.
create or replace function checkpost.word_of(post uuid, at timestamptz) returns checkpost.post_word
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
    if reviews.complete_up_to is not null then
        word.known := greatest(word.known, least(reviews.complete_up_to, reviews.as_of, at));
    end if;
    word.told := least(reviews.as_of, at);
    -- Its passages came for a day, and no word of its reviews.
    if word.known > word.told and at - word.told > interval '24 hours' then
        word.told := null;
        return word;
    end if;
    select array_agg(w.seen_at), array_agg(w.plate), array_agg(w.unwatched_from) into word.seen, word.plates, word.unwatched_from
    from (select checkpost.time_or_null(v ->> 'at') as seen_at, coalesce(v ->> 'plate', '') as plate,
            checkpost.time_or_null(v ->> 'unwatched_from') as unwatched_from
        from jsonb_array_elements(reviews.waiting) v where jsonb_typeof(v) = 'object') w
    where isfinite(w.seen_at);
    return word;
end
$$;

revoke all on function checkpost.word_of(uuid, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
