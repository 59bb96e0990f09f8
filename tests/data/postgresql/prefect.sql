-- What of Prefect 3's tables tells of runs; the other columns are left out.
create type state_type as enum (
  'SCHEDULED', 'PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED', 'PAUSED', 'CANCELLING'
);
create table deployment (id uuid primary key, name varchar not null);
create table flow_run (
  id uuid primary key,
  name varchar not null,
  deployment_id uuid,
  state_type state_type,
  expected_start_time timestamp with time zone,
  start_time timestamp with time zone,
  end_time timestamp with time zone,
  auto_scheduled boolean default '0' not null
);
