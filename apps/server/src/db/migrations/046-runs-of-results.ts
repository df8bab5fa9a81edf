import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'

/**
 * Over PostgreSQL, triggers keep the reference from results to their run, because a foreign key is checked for each row
 * (decision 032): inserting 20,000 results of one run took twice as long. They refuse and delete the same rows as the
 * foreign key, and take the same lock on the run.
 */
const functions = {
  check_runs: `declare run bigint;
    begin
      for run in select distinct run_id from new_rows order by run_id loop
        perform from test_runs where id = run for key share;
        if not found then
          raise foreign_key_violation using message = format('Results refer to run %s, which does not exist.', run);
        end if;
      end loop;
      return null;
    end`,
  refuse_move: `begin
      raise foreign_key_violation using message = 'A run keeps its id, and a result its run.';
    end`,
  delete_results: `begin
      delete from test_results where run_id = old.id;
      return null;
    end`,
} as const

const triggers: readonly { on: string; calls: keyof typeof functions }[] = [
  {
    on: 'after insert on test_results referencing new table as new_rows for each statement',
    calls: 'check_runs',
  },
  {
    on: 'before update of run_id on test_results for each row when (new.run_id <> old.run_id)',
    calls: 'refuse_move',
  },
  { on: 'before update of id on test_runs for each row when (new.id <> old.id)', calls: 'refuse_move' },
  { on: 'after delete on test_runs for each row', calls: 'delete_results' },
]

export async function keepRunsOfResultsByTriggers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  for (const [name, body] of Object.entries(functions)) {
    await sql
      .raw(`create function fairlead_results_${name}() returns trigger language plpgsql as $body$ ${body} $body$`)
      .execute(db)
  }
  for (const { on, calls } of triggers) {
    const name = `fairlead_results_${calls}`
    await sql.raw(`create trigger ${name} ${on} execute function ${name}()`).execute(db)
  }
  await db.schema.alterTable('test_results').dropConstraint('test_results_run_id_fkey').execute()
}
