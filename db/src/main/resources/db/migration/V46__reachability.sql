-- Reachability probes: whether the worker reaches the data addresses of its peers, as its heartbeats tell.
alter table worker add column probes jsonb not null default '{"peers": []}';
-- Until when the worker may still be joining the Hazelcast cluster of the others; null of workers that were there before.
alter table worker add column forming_until timestamptz;
