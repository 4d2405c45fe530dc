-- Up to when all that a post's cameras saw is here: on a quiet road no passage tells so. Null where the post doesn't say.
alter table public.post_reviews
    add column complete_up_to timestamptz,
    add constraint post_reviews_complete_up_to_plausible check (checkpost.is_plausible(complete_up_to));
