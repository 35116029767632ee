-- A run that has fewer ranks than it asks for is to stand still after an epoch, as others may join.
alter table run add column regroup_wanted boolean not null default false;
