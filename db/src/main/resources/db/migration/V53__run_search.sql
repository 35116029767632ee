-- What lists of runs are filtered and sorted by: one narrow row for each run, so that a filter reads no wide rows. A
-- column in quotes is a field of the filter language under this name. Those of the configuration are the paths of its
-- values; run_search_of fills them by name, so a new field of the configuration needs a column and no code here.
create table run_search (
    run_id        uuid primary key references run (id) on delete cascade,
    project_id    uuid not null,
    experiment_id uuid not null,
    position      integer not null,

    "experiment"            text not null,
    "version"               integer not null,
    "state"                 text not null,
    "priority"              integer not null,
    "tag"                   text[] not null,
    "queuedAt"              timestamptz not null,
    "startedAt"             timestamptz,
    "endedAt"               timestamptz,
    "duration"              double precision,
    "failure"               text,
    "restartCount"          integer not null,
    "preemptionCount"       integer not null,

    "testAccuracy"          double precision,
    "testLoss"              double precision,
    "bestAccuracy"          double precision,
    "trainingLoss"          double precision,
    "epochSeconds"          double precision,
    "predictedEpochSeconds" double precision,
    "trainingSeconds"       double precision,
    "bytesSent"             double precision,
    "epochsTrained"         integer,
    "replicasIdentical"     boolean,

    "seed"                                       bigint,
    "dataset.name"                               text,
    "dataset.limit"                              double precision,
    "dataset.normalisation.kind"                 text,
    "dataset.augment.crop.padding"               double precision,
    "dataset.augment.flip"                       text,
    "dataset.view"                               text,
    "dataset.vocabulary"                         double precision,
    "dataset.length"                             double precision,
    "dataset.folder"                             text,
    "dataset.height"                             double precision,
    "dataset.width"                              double precision,
    "dataset.classes"                            double precision,
    "dataset.samples"                            double precision,
    "dataset.features"                           double precision,
    "dataset.header"                             text,
    "dataset.seed"                               bigint,
    "network.preset"                             text,
    "network.hidden"                             double precision,
    "training.epochs"                            double precision,
    "training.batchSize"                         double precision,
    "training.loss.kind"                         text,
    "training.loss.reduction"                    text,
    "training.optimizer.kind"                    text,
    "training.optimizer.learningRate"            double precision,
    "training.optimizer.momentum"                double precision,
    "training.optimizer.nesterov"                boolean,
    "training.optimizer.weightDecay"             double precision,
    "training.optimizer.beta1"                   double precision,
    "training.optimizer.beta2"                   double precision,
    "training.optimizer.epsilon"                 double precision,
    "training.optimizer.schedule.kind"           text,
    "training.optimizer.schedule.warmUp"         double precision,
    "training.optimizer.schedule.every"          double precision,
    "training.optimizer.schedule.factor"         double precision,
    "training.optimizer.schedule.floor"          double precision,
    "training.optimizer.clipping.kind"           text,
    "training.optimizer.clipping.limit"          double precision,
    "initial.run"                                uuid,
    "initial.digest"                             text,
    "workers.replicas"                           double precision,
    "workers.minimum"                            double precision,
    "workers.selector"                           jsonb,
    "partitioning.kind"                          text,
    "partitioning.model"                         text,
    "partitioning.solver"                        text,
    "partitioning.rounding"                      text,
    "partitioning.points"                        text,
    "partitioning.kernel"                        text,
    "partitioning.hysteresis"                    double precision,
    "partitioning.nodeParallel"                  double precision,
    "partitioning.shares"                        text,
    "synchronization.kind"                       text,
    "synchronization.overlap"                    boolean,
    "synchronization.bucketMegabytes"            double precision,
    "synchronization.firstBucketMegabytes"       double precision,
    "synchronization.period"                     double precision,
    "synchronization.order"                      text,
    "synchronization.momentum"                   text,
    "synchronization.outerLearningRate"          double precision,
    "synchronization.outerMomentum"              double precision,
    "synchronization.maxStaleness"               double precision,
    "synchronization.weighting"                  text,
    "synchronization.correction.kind"            text,
    "synchronization.correction.power"           double precision,
    "synchronization.correction.staleness"       double precision,
    "synchronization.inFlight"                   double precision,
    "synchronization.own"                        text,
    "synchronization.bound"                      double precision,
    "synchronization.barrier"                    boolean,
    "topology.kind"                              text,
    "topology.algorithm"                         text,
    "topology.order"                             text,
    "topology.servers"                           double precision,
    "topology.perLayer"                          boolean,
    "topology.aggregate"                         text,
    "topology.schedule.kind"                     text,
    "topology.schedule.literalPairing"           boolean,
    "topology.schedule.distance"                 double precision,
    "topology.payload"                           text,
    "topology.mixing"                            text,
    "topology.globalAverageEvery"                double precision,
    "compression.kind"                           text,
    "compression.threshold"                      double precision,
    "compression.errorFeedback"                  boolean,
    "compression.fraction"                       double precision,
    "compression.bits"                           double precision,
    "compression.bucket"                         double precision,
    "compression.rank"                           double precision,
    "compression.frequent"                       double precision,
    "compression.others"                         double precision,
    "compression.hidden"                         double precision,
    "compression.followLinks"                    boolean,
    "channel"                                    text,
    "heterogeneity.slowDownFrom"                 double precision,
    "execution.kind"                             text,
    "execution.jitter"                           double precision,
    "execution.link.latencyMicroseconds"         double precision,
    "execution.link.megabytesPerSecond"          double precision,
    "execution.run"                              uuid,
    "evaluation.every"                           double precision,
    "evaluation.replicas"                        text,
    "evaluation.compared"                        text,
    "evaluation.target.accuracy"                 double precision,
    "trace"                                      boolean,
    "record"                                     boolean,
    "keepModel"                                  text,
    "preemption"                                 text,
    "checkpoint.every"                           double precision,
    "checkpoint.keep"                            double precision,
    "restarts"                                   double precision
);

-- The order of lists by default, of the lab, of a project and of an experiment.
create index run_search_newest on run_search ("queuedAt" desc nulls last, position, run_id);
create index run_search_of_project on run_search (project_id, "queuedAt" desc nulls last, position, run_id);
create index run_search_of_experiment on run_search (experiment_id, "queuedAt" desc nulls last, position, run_id);

-- Values of a document by their paths, such as "training.batchSize"; lists are left out.
create function json_leaves(document jsonb) returns jsonb language sql immutable as $$
    with recursive node (path, value) as (
        select entry.key, entry.value
        from jsonb_each(document) as entry
        union all
        select node.path || '.' || entry.key, entry.value
        from node
        cross join lateral jsonb_each(
            case when jsonb_typeof(node.value) = 'object' then node.value else '{}'::jsonb end) as entry
    )
    select coalesce(
        jsonb_object_agg(path, value) filter (where jsonb_typeof(value) in ('string', 'number', 'boolean')),
        '{}'::jsonb)
    from node
$$;

-- The row of a run. Values that configurations leave out at their default come first, and attributes of the run last.
create function run_search_of(it run) returns run_search language sql stable as $$
    select listed.*
    from (
        select sum(whole.seconds) as seconds,
               sum(whole.bytes) as bytes,
               max(whole.accuracy) as best,
               (array_agg(whole.loss order by whole.epoch desc))[1] as loss,
               count(*) as epochs
        from (
            select epoch,
                   max(wall_seconds) as seconds,
                   sum(gradient_bytes + weight_bytes + control_bytes) as bytes,
                   min(test_accuracy) as accuracy,
                   sum(mean_loss * samples) / nullif(sum(samples), 0) as loss
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
            'epochsTrained', trained.epochs)) as listed
$$;

create function refresh_run_search() returns trigger language plpgsql as $$
begin
    delete from run_search where run_id = new.id;
    insert into run_search select * from run_search_of(new);
    return null;
end $$;

create trigger run_search_begins after insert on run
    for each row execute function refresh_run_search();

-- Not when only the wait reason or the version changes, which is often.
create trigger run_search_follows after update on run
    for each row
    when ((old.experiment_name, old.state, old.priority, old.tags, old.configuration, old.measured, old.failure,
           old.prediction, old.queued_at, old.started_at, old.ended_at, old.setbacks, old.preemptions)
        is distinct from
        (new.experiment_name, new.state, new.priority, new.tags, new.configuration, new.measured, new.failure,
         new.prediction, new.queued_at, new.started_at, new.ended_at, new.setbacks, new.preemptions))
    execute function refresh_run_search();

insert into run_search
select listed.*
from run
cross join lateral run_search_of(run) as listed;

analyze run_search;
