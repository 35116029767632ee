-- How busy a worker's host is, as its heartbeats tell; older agents tell nothing.
alter table worker add load double precision;
