-- What each rank was predicted to do was not kept.
update run set hybrid = jsonb_set(hybrid, '{ranks}', '[]') where hybrid is not null;

-- Samples of a round for which a replica's worker has memory; those of earlier runs had no limit.
alter table replica add column room integer not null default 2147483647 check (room >= 0);
alter table replica alter column room drop default;
