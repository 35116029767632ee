-- Labels that administrators have changed, over those that the agent reports; null for a label that they have removed.
alter table worker add column label_changes jsonb not null default '{}';
