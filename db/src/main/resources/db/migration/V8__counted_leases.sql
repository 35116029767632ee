-- How often a part was handed to its worker, so that one who never speaks of it is given up.
alter table assignment add column leases integer not null default 0;
