-- A token is good as long as its session: caller_state looks at both, account_state looked at the account alone.
drop function checkpost.account_state(uuid);
