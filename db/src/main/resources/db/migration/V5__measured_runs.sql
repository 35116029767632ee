-- What the epochs of a run came to, kept with it so that a list of runs reads no epoch.
alter table run add column measured jsonb;

update run
set measured = (
    select jsonb_build_object(
               'epochSeconds', percentile_cont(0.5) within group (order by whole.seconds),
               'testAccuracy', (array_agg(whole.accuracy order by whole.epoch desc))[1],
               'replicasIdentical', bool_and(whole.checksums = 1))
    from (select epoch,
                 max(wall_seconds)          as seconds,
                 min(test_accuracy)         as accuracy,
                 count(distinct parameters) as checksums
          from epoch_result
          where run_id = run.id
          group by epoch
          having count(*) = (run.configuration #>> '{workers,replicas}')::integer) as whole
    having count(*) > 0);
