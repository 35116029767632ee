-- Whose training step a profile measures, so that it is found by it.
alter table profile add column network text;

update profile set network = measurements #>> '{0,kernel,network}';

alter table profile alter column network set not null;

create index profile_by_network on profile (worker_id, network, requested_at desc);
create index profile_under_way on profile (requested_at) where state in ('PENDING', 'MEASURING');
