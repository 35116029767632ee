-- Name of the agents' Hazelcast cluster, random for each database: a process must know it to join. Agents that are in
-- the cluster of an earlier version keep its fixed name; the service replaces it when none of them is left.
create table agent_cluster (
    single boolean primary key check (single),
    name   text not null
);
insert into agent_cluster
select true,
       case
           when exists (select from worker where state <> 'LEFT') then 'equipoise'
           else gen_random_uuid()::text
       end;

-- Where the other ranks of a run reach the worker; null of agents that do not report it.
alter table worker add column data_address text;
