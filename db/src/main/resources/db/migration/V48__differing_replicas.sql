-- Distance of a replica from the first one, where the method keeps replicas equal and they differ;
-- null if both are equal, and in epochs of earlier versions, which did not measure it.
alter table epoch_result add column difference jsonb;

-- Processor of the worker, as it was when the rank was placed, and the distance of the weights that
-- the rank had restored from those that replaced them.
alter table replica add column processor text;
alter table replica add column replaced jsonb;
