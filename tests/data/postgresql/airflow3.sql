-- dag_run as Airflow 3.1 creates it, without the keys that lead to other tables.
create table dag_run (
  id serial not null,
  dag_id varchar(250) not null,
  queued_at timestamp with time zone,
  logical_date timestamp with time zone,
  start_date timestamp with time zone,
  end_date timestamp with time zone,
  state varchar(50),
  run_id varchar(250) not null,
  creating_job_id integer,
  run_type varchar(50) not null,
  triggered_by varchar(50),
  triggering_user_name varchar(512),
  conf jsonb,
  data_interval_start timestamp with time zone,
  data_interval_end timestamp with time zone,
  run_after timestamp with time zone not null,
  last_scheduling_decision timestamp with time zone,
  log_template_id integer,
  updated_at timestamp with time zone,
  clear_number integer default '0' not null,
  backfill_id integer,
  bundle_version varchar(250),
  scheduled_by_job_id integer,
  context_carrier jsonb,
  span_status varchar(250) default 'not_started' not null,
  created_dag_version_id uuid,
  constraint dag_run_pkey primary key (id),
  constraint dag_run_dag_id_run_id_key unique (dag_id, run_id),
  constraint dag_run_dag_id_logical_date_key unique (dag_id, logical_date)
);
create index dag_id_state on dag_run (dag_id, state);
create index idx_dag_run_dag_id on dag_run (dag_id);
create index idx_dag_run_run_after on dag_run (run_after);
