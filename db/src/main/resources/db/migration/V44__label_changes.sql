-- Labels that administrators have set or removed, over those that the agent reports.
alter table worker add column label_changes jsonb not null default '{"set": {}, "removed": []}';
