-- dag_run as Airflow 2.10 creates it, without the keys that lead to other tables.
create table dag_run (
  id serial not null,
  dag_id varchar(250) not null,
  queued_at timestamp with time zone,
  execution_date timestamp with time zone not null,
  start_date timestamp with time zone,
  end_date timestamp with time zone,
  state varchar(50),
  run_id varchar(250) not null,
  creating_job_id integer,
  external_trigger boolean,
  run_type varchar(50) not null,
  conf bytea,
  data_interval_start timestamp with time zone,
  data_interval_end timestamp with time zone,
  last_scheduling_decision timestamp with time zone,
  dag_hash varchar(32),
  log_template_id integer,
  updated_at timestamp with time zone,
  clear_number integer default '0' not null,
  constraint dag_run_pkey primary key (id),
  constraint dag_run_dag_id_execution_date_key unique (dag_id, execution_date),
  constraint dag_run_dag_id_run_id_key unique (dag_id, run_id)
);
create index dag_id_state on dag_run (dag_id, state);
create index idx_dag_run_dag_id on dag_run (dag_id);
