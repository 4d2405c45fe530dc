-- A post tells when nobody watched, and such a time makes an alert doubtful without holding it up. So does what passed the other post before a
-- passage whose direction nobody saw. Decision note 0354.
alter type checkpost.post_word add attribute unwatched_from timestamptz[];
drop function if exists checkpost.overstay_doubts(text, timestamptz, checkpost.post_word);
