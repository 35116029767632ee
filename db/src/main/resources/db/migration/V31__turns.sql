-- Which turn over the queue it is: what is decided in one is done while it lasts, and not in the next.
alter table queue_turn add column number bigint not null default 0;
alter table queue_turn alter column number drop default;

-- How long the newest runs took to prepare.
create index run_completed_last on run (ended_at desc) where state = 'COMPLETED' and preemptions = 0;
