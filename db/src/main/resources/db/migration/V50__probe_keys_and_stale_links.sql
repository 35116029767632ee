-- Public key by which reachability probes recognize the process of the agent; null of agents that report none.
alter table worker add column probe_key text;
