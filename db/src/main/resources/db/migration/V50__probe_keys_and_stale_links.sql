-- Public key by which reachability probes recognize the process of the agent; null of agents that report none.
alter table worker add column probe_key text;
-- Time of the last change of the host or of its address; earlier link measurements of the worker are stale. Null without a change.
alter table worker add column links_since timestamptz;
