-- Protocol version that the agent speaks; agents before this version report none and speak 0.1.
alter table worker add column protocol_version text not null default '0.1';
