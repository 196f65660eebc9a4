import { Problem } from '../problem.ts';
import { membersOf } from './body.ts';
import { confirmed } from './confirm.ts';
import { pathOf } from './find.ts';
import { printSteps, type Run, send } from './run.ts';
import { showOne, Table } from './show.ts';
import { isObject, type Members, readStructured } from './structured-file.ts';
import type { Row } from './table/types.ts';

export type PublishedRows = { config_token: string; rows: Members[] };

/** Reads the rows of a service, changes them and publishes them whole, under the token that was read (wire 4.6). */
export async function publishRow(run: Run, { rows: member, act }: Row): Promise<void> {
  const { verb, options, api, json } = run;
  const path = pathOf(verb.call, run.places);
  const slug = run.places[(verb.args?.[0] ?? '').replace('?', '')];
  const given = act === 'publish' || act === 'delete' ? {} : await membersOf(verb, options);
  const config = await api.json<Members>({ method: 'GET', path });
  const rows = (config[member] as Members[]).map(sendable);
  const changed = act === 'publish' ? await rowsOfFile(options) : changedRows(rows, { act, slug, given });
  const step = {
    method: 'PUT',
    path,
    json: { config_token: config.config_token, [member]: changed },
  } as const;
  if (options.dryRun) return printSteps(run, [step]);
  await confirmed(run);
  const published = (await send<Members>(api, step))[member] as Members[];
  const named = slug ?? given.slug;
  const row = published.find((candidate) => candidate.slug === named);
  if (row !== undefined) return showOne(row, json);
  const table = new Table(['slug', 'type', 'label'], json);
  await table.add(published);
  await table.end();
}

type Change = { act: Row['act']; slug: string | undefined; given: Members };

/** @throws Problem for a slug that is there already, or is not there */
function changedRows(rows: Members[], { act, slug, given }: Change): Members[] {
  if (act === 'create') {
    const fresh = { ...given, ...(slug !== undefined && { slug }) };
    if (!('slug' in fresh)) throw new Problem('Name the slug of the new row.', { exitCode: 2 });
    if (rows.some((row) => row.slug === fresh.slug)) {
      throw new Problem(`There is a row ${fresh.slug} already. Change it with set.`);
    }
    return [...rows, fresh];
  }
  if (!rows.some((row) => row.slug === slug)) {
    throw new Problem(
      `There is no row ${slug}. There is ${rows.map((row) => row.slug).join(', ') || 'none'}.`,
    );
  }
  if (act === 'delete') return rows.filter((row) => row.slug !== slug);
  if (Object.keys(given).length === 0) throw new Problem('Nothing is to change.', { exitCode: 2 });
  return rows.map((row) => (row.slug === slug ? { ...row, ...given } : row));
}

async function rowsOfFile({ file }: Members): Promise<Members[]> {
  if (typeof file !== 'string') throw new Problem('Name the rows with --file.', { exitCode: 2 });
  const read = await readStructured(file);
  if (Array.isArray(read) && read.every(isObject)) return read.map(sendable);
  throw new Problem(`${file} is not a list of rows.`, { exitCode: 2 });
}

/** A row as it was read has more than may be sent. */
export function sendable({ id, plugin, ...row }: Members): Members {
  if (!isObject(plugin)) return row;
  return { ...row, plugin: { plugin_id: plugin.plugin_id, field_type: plugin.field_type } };
}
