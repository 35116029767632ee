-- What a lab had in it as version 4, the first that anybody could train with, wrote it.
insert into project values ('00000000-0000-0000-0000-00000000000a', 'first lab', '2025-01-01T00:00:00Z');

insert into access_token (id, kind, name, hash, project_id, created_at, expires_at, version) values
    (gen_random_uuid(), 'USER', 'administrator', sha256('eqp_administrator'), null, now(), null, 0),
    (gen_random_uuid(), 'USER', 'member', sha256('eqp_member'),
     '00000000-0000-0000-0000-00000000000a', now(), null, 0),
    (gen_random_uuid(), 'JOIN', 'join', sha256('eqj_join'), null, now(), now() + interval '1 day', 0);

insert into worker
select id::uuid, name, state,
       '{"name": "host", "processors": 8, "threads": 2, "memoryBytes": 17179869184,
         "system": "Linux amd64", "slowDown": 1.0}',
       '{"zone": "lab"}', name || ':5701',
       '["00000000-0000-0000-0000-0000000000b1", "00000000-0000-0000-0000-0000000000b2"]',
       '2025-01-01T00:00:00Z', '2025-01-03T00:00:00Z', 0
from (values
    ('00000000-0000-0000-0000-0000000000b1', 'north', 'BUSY'),
    ('00000000-0000-0000-0000-0000000000b2', 'south', 'BUSY'),
    ('00000000-0000-0000-0000-0000000000b3', 'west', 'LEFT')) as given (id, name, state);

insert into access_token (id, kind, name, hash, worker_id, created_at, version)
select gen_random_uuid(), 'WORKER', name, sha256(convert_to('eqw_' || name, 'UTF8')), id, now(), 0
from worker where state <> 'LEFT';

insert into profile
select gen_random_uuid(), id, 'COMPLETE',
       '[{"kernel": {"kind": "training-step", "network": "mnist-cnn"}, "sizes": [8, 64]},
         {"kernel": {"kind": "gemm"}, "sizes": [256]}]',
       '[{"kernel": {"kind": "training-step", "network": "mnist-cnn"},
          "point": {"size": 8, "meanSeconds": 0.004, "repetitions": 30,
                    "confidenceSeconds": 0.0001, "deviationSeconds": 0.0002}},
         {"kernel": {"kind": "training-step", "network": "mnist-cnn"},
          "point": {"size": 64, "meanSeconds": 0.03, "repetitions": 30,
                    "confidenceSeconds": 0.0001, "deviationSeconds": 0.0002}}]',
       null, '2025-01-01T01:00:00Z', '2025-01-01T01:01:00Z', 0
from worker where state <> 'LEFT';

insert into experiment
select '00000000-0000-0000-0000-00000000000c', '00000000-0000-0000-0000-00000000000a',
       'first', 1,
       '{"apiVersion": "equipoise/v1", "name": "first", "dataset": {"name": "mnist", "limit": 1280},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 64},
         "workers": {"replicas": 2}, "seeds": [1, 2]}',
       jsonb_agg(
               jsonb_build_object(
                       'apiVersion', 'equipoise/v1', 'name', 'first', 'seed', seed,
                       'dataset', '{"name": "mnist", "limit": 1280}'::jsonb,
                       'network', '{"preset": "mnist-cnn"}'::jsonb,
                       'training',
                       '{"epochs": 2, "batchSize": 64,
                         "loss": {"kind": "softmax-cross-entropy", "reduction": "mean"},
                         "optimizer": {"kind": "sgd", "learningRate": 0.05}}'::jsonb,
                       'workers', '{"replicas": 2, "selector": {}}'::jsonb,
                       'partitioning', '{"kind": "equal"}'::jsonb,
                       'synchronization', '{"kind": "bsp"}'::jsonb,
                       'topology', '{"kind": "all-reduce", "algorithm": "ring"}'::jsonb,
                       'compression', '{"kind": "none"}'::jsonb,
                       'channel', 'direct')
               order by seed),
       '2025-01-01T02:00:00Z', 0
from generate_series(1, 2) as seed;

-- Two that are comparable, one in each state that a run may be left in, and how far each is.
insert into run
select ('00000000-0000-0000-0000-0000000000d' || number)::uuid, project_id, experiment.id, name,
       position, state, configurations -> position, generation, 10, waiting::jsonb, failure::jsonb,
       prediction::jsonb, '2025-01-02T00:00:00Z'::timestamptz + number * interval '1 second',
       case when generation > 0 then '2025-01-02T01:00:00Z'::timestamptz end,
       case when ended then '2025-01-02T02:00:00Z'::timestamptz end, 0
from experiment, (values
    (1, 'COMPLETED', 0, 1, true, null, null,
     '{"computeSeconds": 0.3, "exchangeSeconds": 0.1, "epochSeconds": 0.4}'),
    (2, 'COMPLETED', 1, 1, true, null, null, null),
    (3, 'FAILED', 0, 1, true, null,
     '{"cause": "worker", "code": "worker-lost", "message": "worker west was silent"}', null),
    (4, 'CANCELLED', 0, 0, true, null, null, null),
    (5, 'RUNNING', 0, 1, false, null, null,
     '{"computeSeconds": 0.3, "exchangeSeconds": 0.1, "epochSeconds": 0.4}'),
    (6, 'QUEUED', 1, 0, false, '{"code": "workers-busy", "message": "2 workers are busy"}', null,
     null)) as given (number, state, position, generation, ended, waiting, failure, prediction);

insert into replica
select run.id, rank, ('00000000-0000-0000-0000-0000000000b' || (rank + 1))::uuid,
       (array ['north', 'south'])[rank + 1], 640, 0.03, 0.01, 'start',
       case state when 'COMPLETED' then 2 else 1 end, 10, state = 'COMPLETED'
from run, generate_series(0, 1) as rank
where generation > 0;

insert into epoch_result
select run.id, rank, epoch, 640, 1, 0.25, 0.25, 1.5 * (position + 1), 1000 * epoch, 0.5 / epoch,
       0.8 + epoch / 100.0, 'weights-' || epoch
from run, generate_series(0, 1) as rank, generate_series(1, 2) as epoch
where state = 'COMPLETED' or state = 'RUNNING' and epoch = 1;

insert into assignment
select gen_random_uuid(), worker_id, run_id, rank, null, 1,
       case state when 'RUNNING' then 'LEASED' when 'FAILED' then 'REVOKED' else 'DONE' end, 7,
       sha256('key'), '2025-01-02T01:00:00Z', 0
from replica join run on run.id = run_id;
