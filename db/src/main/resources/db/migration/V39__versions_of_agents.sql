-- Null of agents that do not tell.
alter table worker add column agent_version text;
