-- A join token admits up to `uses` workers and has admitted `admitted`. The column admitted_worker_id stays for instances
-- of the version before, which still write it.
alter table access_token
    add column uses integer not null default 1 check (uses between 1 and 1000),
    add column admitted integer not null default 0 check (admitted >= 0);
update access_token set admitted = 1 where kind = 'JOIN' and used_at is not null;
