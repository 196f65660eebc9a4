import type { ApiClient } from '@symbolon/sdk/account';
import { Problem } from '../problem.ts';
import { type Caller, findCaller } from '../profile/caller.ts';
import { writeLine } from '../terminal/output.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { dashed, membersOf } from './body.ts';
import { confirmed, refuseUnasked } from './confirm.ts';
import { idOf, type Places, pathOf, serviceIdOf } from './find.ts';
import { handOver, keepFile, refuseTaken } from './keep.ts';
import { showOne, Table } from './show.ts';
import { isObject, type Members } from './structured-file.ts';
import type { Resource, Template, Verb } from './table/types.ts';
import { waitForJobs } from './wait-for-jobs.ts';

export type Step = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Members;
  json?: unknown;
};

/** One call of a command: what its steps share. */
export type Run = {
  resource: Resource;
  verb: Verb;
  options: Members;
  json: boolean;
  caller: Caller;
  api: ApiClient;
  places: Places;
  /** What a person called it. */
  named: string;
};

/** Does what a row of the table says. @throws Problem, SymbolonError */
export async function runVerb(
  resource: Resource,
  verb: Verb,
  args: readonly (string | undefined)[],
  options: Members,
): Promise<void> {
  refuseUnasked(verb, options);
  // A folder for keys may be there.
  if (verb.once || verb.download) refuseTaken(options.out);
  const caller = await findCaller(options, verb.as ?? resource.as);
  try {
    const api = await caller.open();
    const places = await placesOf(verb, { args, options, caller, api });
    const named = args[0] ?? places.service ?? '';
    const json = options.json === true;
    await act({ resource, verb, options, json, caller, api, places, named });
  } catch (error) {
    throw sessionEnded(caller, error) ?? error;
  }
}

async function act(run: Run): Promise<void> {
  const { verb } = run;
  if (verb.row) return (await import('./rows.ts')).publishRow(run, verb.row);
  switch (verb.special) {
    case 'create-service':
    case 'replace-key':
      return (await import('./special/service-key.ts')).makeServiceKey(run);
    case 'describe-plugin':
      return (await import('./special/describe-plugin.ts')).describePlugin(run);
    case 'all-webhooks':
      return (await import('./special/all-webhooks.ts')).listWebhooks(run);
    default:
  }
  if (verb.items !== undefined && verb.call.startsWith('GET ')) return list(run);
  if (verb.download) {
    const path = pathOf(verb.call, run.places);
    return keepFile(run, await run.api.send({ method: 'GET', path, accept: '*/*' }));
  }
  const members = await membersOf(verb, run.options);
  await carryOut(run, stepsOf(verb, run.places, members));
}

/** Makes the calls, or prints them where that is asked, and shows the last answer. */
async function carryOut(run: Run, steps: readonly Step[]): Promise<void> {
  if (run.options.dryRun) return printSteps(run, steps);
  await confirmed(run);
  let answer: unknown;
  for (const step of steps) answer = await send(run.api, step);
  await finish(run, answer);
}

/** Shows what an act answered, hands over what is shown once, and waits for its jobs. */
export async function finish(run: Run, answer: unknown): Promise<void> {
  const { verb, places, options, json } = run;
  if (verb.waits !== undefined && options.wait !== false && places.service !== undefined) {
    await waitForJobs(run.api, places.service);
  }
  if (answer === undefined) return showDone(run);
  if (verb.tells !== undefined && isObject(answer) && answer[verb.tells] === false) process.exitCode = 1;
  if (verb.once !== undefined && isObject(answer)) return showOne(handOver(run, answer), json);
  if (verb.items !== undefined && isObject(answer)) {
    const table = new Table(verb.columns, json);
    await table.add(answer[verb.items] as Members[]);
    return table.end();
  }
  await showOne(answer, json);
}

async function showDone({ verb, named, json }: Run): Promise<void> {
  const done = verb.call.startsWith('DELETE') ? 'deleted' : 'done';
  if (json) return writeLine(jsonLine({ ...(named !== '' && { id: named }), [done]: true }));
  await writeLine(`${named === '' ? 'It' : printable(named)} is ${done}.`);
}

export function send<T>(api: ApiClient, { method, path, query, json }: Step): Promise<T> {
  type Query = Record<string, string | number | boolean | undefined>;
  return api.json<T>({
    method,
    path,
    ...(query && { query: query as Query }),
    ...(json !== undefined && { json }),
  });
}

/** The call of the verb with its members, and those of members that have calls of their own. */
function stepsOf(verb: Verb, places: Places, members: Members): Step[] {
  const bodies = new Map<Template, Members>();
  const callOf = (member: string) => verb.options?.find((option) => option.member === member)?.call;
  for (const [member, value] of Object.entries(members)) {
    const call = callOf(member) ?? verb.call;
    bodies.set(call, { ...bodies.get(call), [member]: value });
  }
  const takesMembers = verb.options !== undefined || verb.fileOnly !== undefined;
  if (bodies.size === 0 && verb.call.startsWith('PUT') && takesMembers) {
    const names = (verb.options ?? []).map(({ member }) => `--${dashed(member)}`);
    throw new Problem(`Nothing is to change. Give ${[...names, '--file'].join(', ')}.`, { exitCode: 2 });
  }
  if (bodies.size === 0) bodies.set(verb.call, {});
  return [...bodies].map(([call, body]) => {
    const isEmpty = Object.keys(body).length === 0;
    return stepOf(
      call,
      places,
      isEmpty && (verb.call.startsWith('DELETE') || !takesMembers) ? undefined : body,
    );
  });
}

export function stepOf(call: Template, places: Places, members: Members | undefined): Step {
  const [method] = call.split(' ') as [Step['method']];
  const path = pathOf(call, places);
  if (method === 'GET' || method === 'DELETE') return { method, path, ...(members && { query: members }) };
  return { method, path, ...(members && { json: members }) };
}

/** What would be sent, without what is secret. */
export async function printSteps({ verb, json }: Run, steps: readonly Step[]): Promise<void> {
  const secrets = (verb.options ?? []).filter(({ kind }) => kind === 'secret').map(({ member }) => member);
  const shown = (body: unknown) =>
    isObject(body)
      ? Object.fromEntries(
          Object.entries(body).map(([name, value]) => [
            name,
            secrets.includes(name) && value ? '••••' : value,
          ]),
        )
      : body;
  for (const { method, path, query, json: body } of steps) {
    if (json) {
      await writeLine(
        jsonLine({ method, path, ...(query && { query }), ...(body !== undefined && { body: shown(body) }) }),
      );
      continue;
    }
    const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : '';
    await writeLine(`${method} ${path}${search}`);
    if (body !== undefined) {
      for (const line of JSON.stringify(shown(body), null, 2).split('\n')) await writeLine(printable(line));
    }
  }
}

/** The rows of a list, page by page, or the one that is picked. */
async function list(run: Run): Promise<void> {
  const { verb, api, places, options, json } = run;
  const path = pathOf(verb.call, places);
  const filter = await membersOf(verb, options);
  const most = options.limit === undefined ? Number.POSITIVE_INFINITY : Number(options.limit);
  if (verb.waits !== undefined && options.wait && places.service !== undefined) {
    await waitForJobs(api, places.service);
  }
  const table = new Table(verb.columns, json);
  let before: unknown = '';
  for (let count = 0, total = 1; count < total && count < most; ) {
    const place = verb.paged === 'before' ? { before } : { offset: count };
    const query = verb.paged ? { ...filter, limit: Math.min(PAGE, most - count), ...place } : filter;
    const answer = await send<Members & { total?: number }>(api, { method: 'GET', path, query });
    const rows = (verb.items === '' ? answer : answer[verb.items as string]) as unknown as Members[];
    if (verb.pick !== undefined) return showOne(picked(run, rows, verb.pick), json);
    await table.add(rows.slice(0, most - count));
    count += rows.length;
    before = rows.at(-1)?.id;
    total = verb.paged && rows.length > 0 ? (answer.total ?? 0) : 0;
  }
  await table.end();
}

function picked({ resource, places, verb }: Run, rows: readonly Members[], by: string): Members {
  const wanted = places[(verb.args?.[0] ?? '').replace('?', '')];
  const found = rows.find((row) => row[by] === wanted);
  if (found !== undefined) return found;
  throw new Problem(
    `There is no ${wanted} among the ${resource.name}. symbolon ${resource.name} list has them.`,
  );
}

type Given = { args: readonly (string | undefined)[]; options: Members; caller: Caller; api: ApiClient };

/** What stands in the places of the path: arguments, by name or id, and the service. */
async function placesOf(verb: Verb, { args, options, caller, api }: Given): Promise<Places> {
  const places: Places = {};
  const names = (verb.args ?? []).map((name) => name.replace('?', ''));
  const usesService = verb.call.includes('{service}') && !names.includes('service');
  if (usesService) {
    places.service = await serviceIdOf(api, options.service as string | undefined, caller.serviceId);
  }
  const makesNew = verb.row?.act === 'create';
  for (const [index, name] of names.entries()) {
    const given = args[index];
    if (given === undefined) continue;
    const isPicked = verb.pick !== undefined || verb.row !== undefined;
    places[name] = makesNew || isPicked ? given : await idOf(api, name, given, places);
  }
  return places;
}

/** A 401 of a session means that it is over. */
function sessionEnded({ kind, from }: Caller, error: unknown): Problem | undefined {
  const { status, errorKey } = error as { status?: number; errorKey?: string };
  if (kind !== 'portal session' || status !== 401 || errorKey !== 'auth.invalid') return undefined;
  const name = from.replace(/^profile /, '');
  const text = `The session of the ${from} has ended. Sign in again: symbolon login --profile ${name}`;
  return new Problem(text, { exitCode: 2, cause: error });
}

const PAGE = 100;
