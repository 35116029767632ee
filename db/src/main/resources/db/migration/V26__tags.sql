-- Words by which people find their runs again.
alter table run add column tags text[] not null default '{}';
