-- The last values of the metrics of replicas, as of the other metrics, and all values that configurations leave out at
-- their default.
alter table run_search
    add column "replicaAccuracy"           double precision,
    add column "replicaLoss"               double precision,
    add column "consensusDistance"         double precision,
    add column "relativeConsensusDistance" double precision;

-- The row of a run. Values that configurations leave out at their default come first, and attributes of the run last.
create or replace function run_search_of(it run) returns run_search language sql stable as $$
    select listed.*
    from (
        select sum(whole.seconds) as seconds,
               sum(whole.bytes) as bytes,
               max(whole.accuracy) as best,
               (array_agg(whole.loss order by whole.epoch desc))[1] as loss,
               count(*) as epochs,
               (array_agg(whole.replica_accuracy order by whole.epoch desc)
                   filter (where whole.replica_accuracy is not null))[1] as replica_accuracy,
               (array_agg(whole.replica_loss order by whole.epoch desc)
                   filter (where whole.replica_loss is not null))[1] as replica_loss,
               (array_agg(whole.distance order by whole.epoch desc)
                   filter (where whole.distance is not null))[1] as distance,
               (array_agg(whole.relative_distance order by whole.epoch desc)
                   filter (where whole.relative_distance is not null))[1] as relative_distance
        from (
            select epoch,
                   max(wall_seconds) as seconds,
                   sum(gradient_bytes + weight_bytes + control_bytes) as bytes,
                   min(test_accuracy) as accuracy,
                   sum(mean_loss * samples) / nullif(sum(samples), 0) as loss,
                   avg(own_accuracy) as replica_accuracy,
                   avg(own_loss) as replica_loss,
                   max(absolute_distance) as distance,
                   max(relative_distance) as relative_distance
            from epoch_result
            where run_id = it.id
            group by epoch
            having count(*) = max(ranks)
        ) as whole
    ) as trained
    cross join lateral jsonb_populate_record(
        null::run_search,
        '{"keepModel": "last", "evaluation.compared": "mean", "training.optimizer.weightDecay": 0,
          "preemption": "never", "checkpoint.every": 0, "checkpoint.keep": 1, "restarts": 0}'::jsonb
        || jsonb_build_object(
            'workers.minimum', it.configuration #> '{workers,replicas}',
            'workers.selector', it.configuration #> '{workers,selector}')
        || case
            when it.configuration #>> '{dataset,name}' = 'csv' then '{"dataset.header": "auto"}'::jsonb
            when it.configuration #>> '{dataset,name}' in ('brown', 'nettalk')
                or jsonb_array_length(it.configuration #> '{dataset,shape}') <> 3 then '{}'::jsonb
            else '{"dataset.augment.crop.padding": 0, "dataset.augment.flip": "none"}'::jsonb
        end
        || case it.configuration #>> '{partitioning,kind}'
            when 'functional' then '{"partitioning.kernel": "training-step"}'::jsonb
            else '{}'::jsonb
        end
        || json_leaves(it.configuration)
        || jsonb_build_object(
            'run_id', it.id,
            'project_id', it.project_id,
            'experiment_id', it.experiment_id,
            'position', it.position,
            'experiment', it.experiment_name,
            'version', it.experiment_version,
            'state', it.state,
            'priority', it.priority,
            'tag', it.tags,
            'queuedAt', it.queued_at,
            'startedAt', it.started_at,
            'endedAt', it.ended_at,
            'duration', extract(epoch from it.ended_at - it.started_at),
            'failure', it.failure -> 'code',
            'restartCount', it.setbacks,
            'preemptionCount', it.preemptions)
        || jsonb_build_object(
            'testAccuracy', it.measured -> 'testAccuracy',
            'testLoss', it.measured -> 'testLoss',
            'epochSeconds', it.measured -> 'epochSeconds',
            'replicasIdentical', it.measured -> 'replicasIdentical',
            'predictedEpochSeconds', it.prediction -> 'epochSeconds',
            'bestAccuracy', trained.best,
            'trainingLoss', trained.loss,
            'trainingSeconds', trained.seconds,
            'bytesSent', trained.bytes,
            'epochsTrained', trained.epochs,
            'replicaAccuracy', trained.replica_accuracy,
            'replicaLoss', trained.replica_loss,
            'consensusDistance', trained.distance,
            'relativeConsensusDistance', trained.relative_distance)) as listed
$$;

delete from run_search;

insert into run_search
select listed.*
from run
cross join lateral run_search_of(run) as listed;

analyze run_search;
