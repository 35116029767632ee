-- Names of the data folders of users that the worker has; null of agents that do not report them.
alter table worker add column folders jsonb;
