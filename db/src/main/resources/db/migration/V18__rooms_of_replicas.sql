-- What each rank was predicted to do and to send was not kept.
update run set hybrid = hybrid || '{"ranks": [], "bytes": 0}' where hybrid is not null;

-- Samples of a round for which a replica's worker has memory; those of earlier runs had no limit.
alter table replica add column room integer not null default 2147483647 check (room >= 0);
alter table replica alter column room drop default;
