-- Which workers an epoch was done by. Of epochs before this version the last generation is taken: few runs had more.
alter table epoch_result add column generation integer;
update epoch_result set generation = greatest(1, run.generation) from run where run.id = epoch_result.run_id;
alter table epoch_result alter column generation set not null;
