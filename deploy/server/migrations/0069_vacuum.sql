-- By PostgreSQL's own measure a table is vacuumed and analysed again after a fifth and a tenth of it were written: at ten million passages that is
-- months. Until then counts of the last month read the table for each row, since only a vacuum says which pages an index may answer for, and the
-- planner doesn't know the newest months.
alter table public.vehicle_passages set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.01);
