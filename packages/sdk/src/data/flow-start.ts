import { buildFileEnvelope, fingerprint, sealValue, serializeWrapper } from '@symbolon/crypto';
import { connectionSources, isAnswered, partyTags, textOf } from '@symbolon/flows';
import type { FlowDefinition, FlowFile, FlowRun, StartFlowRunRequest } from '@symbolon/protocol';
import { OWNER_PARTY } from '@symbolon/protocol/constants';
import { type DocumentFile, envelopeOf } from '../documents/document-file.ts';
import { companyKeys, companyParties } from '../flows/company-side.ts';
import type { Api } from '../http/api.ts';
import { InvalidRequestError } from '../http/errors.ts';
import { PlainDate } from '../values/plain-date.ts';
import { BinaryHandle } from './binary-handle.ts';
import type { PeopleKeys } from './people-keys.ts';
import { type Connection, SealedValue, type Value } from './value.ts';

/** Who answers as a party: the id of a user, or a connection of the service. */
export type FlowBinding = string | { connectionId: string };

/** What a tag `{{ party.field }}` is filled with. */
export type FlowTag = string | { value: string; type?: string; private?: boolean };

export type NewFlowRun = {
  /** The customer of the run. */
  connectionId: string;
  /**
   * Who answers, by party. Without an entry an owner party is the company, and every other one the customer of the connection.
   */
  bindings?: Readonly<Record<string, FlowBinding>> | undefined;
  /** What the company calls the run, for example the number of an order. All parties read it, and so does the platform. */
  reference?: string | undefined;
  /** The version that is expected; default: the latest. */
  version?: number | undefined;
  /** Values of tags, by `party.field`. Default: what the party shares with the service under the slug of the field. */
  tags?: Readonly<Record<string, FlowTag>> | undefined;
  /** Files that documents take, by their key. Default: what the party shares with the service. */
  files?: Readonly<Record<string, DocumentFile>> | undefined;
  /** Hears of tags that nothing fills, with their party: texts and documents leave them out. */
  onEmptyTags?: ((tags: readonly string[]) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** What a start takes of a connection. */
export type SharedAnswers = Pick<Connection, 'personId' | 'valuesPrivate'> & {
  values: Readonly<Record<string, Pick<Value, 'value'>>>;
};

/** What starts runs of a flow in the name of its company: its backend, or its staff in a browser. */
export type StartParts = {
  api: Pick<Api, 'json'>;
  /** The address of the flow. */
  flow: string;
  companyId: string;
  connection: (id: string, signal?: AbortSignal) => Promise<SharedAnswers>;
  people: Pick<PeopleKeys, 'confirmed' | 'keys'>;
  /** The public half of the key of the service. @throws when there is none */
  ownKey: () => string;
};
/** A version of a flow, with the types of the request rows of its service by slug. */
export type StartedVersion = {
  definition: FlowDefinition;
  types: Readonly<Record<string, string>>;
  version: number;
};
type Bound = { userId: string; connection: SharedAnswers | undefined };

/**
 * Starts a run: what its parties share fills tags and files, and is sealed here to everybody who is bound.
 * @returns the run, and the tags that nothing fills
 * @throws as `Flows.start`
 */
export async function startRun(
  parts: StartParts,
  published: StartedVersion,
  run: NewFlowRun,
): Promise<{ started: FlowRun; emptyTags: readonly string[] }> {
  const { api, companyId, flow, people } = parts;
  const { request: json, emptyTags } = await startRequest(parts, published, run);
  const started = await api.json<FlowRun>({
    ...{ method: 'POST', path: `${flow}/runs`, json, signal: run.signal },
  });
  // Those that were asked for, and not those of the answer.
  const { bindings } = json;
  await people.confirmed.assertOwners([
    companyParties({ id: started.id, bindings, company_user_id: companyId }),
  ]);
  const ofOwner = partyTags(published.definition).owner.filter(
    (tag) => !started.owner_tag_values[tag]?.v.trim(),
  );
  return { started, emptyTags: [...ofOwner, ...emptyTags] };
}

/** What the tags of customers are filled with unless the start says otherwise, by tag; an empty text where nothing is shared. */
export async function sharedTags(
  parts: Pick<StartParts, 'companyId' | 'connection'>,
  { definition, types }: StartedVersion,
  run: Pick<NewFlowRun, 'bindings' | 'connectionId' | 'signal'>,
): Promise<Record<string, string>> {
  const bound = await boundParties(parts, definition, run);
  const tags = partyTags(definition).others.map((tag) => tagOf(tag, { bound, run: {}, types }));
  return Object.fromEntries(tags.map(({ tag, v }) => [tag, v]));
}

/** What the start of a run sends, and the tags of customers that nothing fills. Copies of files are uploaded for it. */
async function startRequest(
  parts: StartParts,
  { definition, types, version }: StartedVersion,
  run: NewFlowRun,
): Promise<{ request: StartFlowRunRequest; emptyTags: readonly string[] }> {
  const { companyId } = parts;
  const { signal } = run;
  const known = partyTags(definition).others;
  refuseUnknown([
    { what: 'party', names: run.bindings, has: definition.parties.map(({ key }) => key) },
    { what: 'tag of a customer', names: run.tags, has: known },
    { what: 'file of a party', names: run.files, has: connectionSources(definition).map(({ key }) => key) },
  ]);
  const bound = await boundParties(parts, definition, run);
  const users = [...new Set([...bound.values()].map(({ userId }) => userId))];
  const tags = known.map((tag) => tagOf(tag, { bound, run, types }));
  const files = await filesOf(definition, bound, run);
  const isSealed = tags.length > 0 || files.length > 0;
  const keys = isSealed ? await companyKeys(users, { ...parts, signal }) : new Map<string, string>();
  const request = {
    target: { connection_id: run.connectionId },
    bindings: Object.fromEntries([...bound].map(([party, { userId }]) => [party, userId])),
    flow_version: run.version ?? version,
    ...(run.reference !== undefined && { reference: run.reference }),
    ...(tags.length > 0 && { tag_values: await tagCopies(tags, keys, companyId) }),
    ...(files.length > 0 && { source_files: await uploads(parts, { files, keys, signal }) }),
  };
  return { request, emptyTags: tags.filter(({ v }) => v.trim() === '').map(({ tag }) => tag) };
}

/**
 * A misspelt name would otherwise be passed over: the run would start with the defaults.
 * @throws InvalidRequestError `sdk.flow_start_invalid`
 */
function refuseUnknown(
  given: readonly { what: string; names: object | undefined; has: readonly string[] }[],
): void {
  for (const { what, names = {}, has } of given) {
    const unknown = Object.keys(names).find((name) => !has.includes(name));
    if (unknown === undefined) continue;
    const choice = has.length === 0 ? 'Leave it out.' : `Use one of ${has.join(', ')}.`;
    const message = `The flow has no ${what} named ${unknown}. ${choice}`;
    throw new InvalidRequestError({ errorKey: 'sdk.flow_start_invalid', message, details: { unknown } });
  }
}

/** In the order of the definition. */
async function boundParties(
  { companyId, connection }: Pick<StartParts, 'companyId' | 'connection'>,
  definition: FlowDefinition,
  { bindings = {}, connectionId, signal }: Pick<NewFlowRun, 'bindings' | 'connectionId' | 'signal'>,
): Promise<Map<string, Bound>> {
  const read = new Map<string, Promise<SharedAnswers>>();
  const connectionOf = (id: string) => {
    const reading = read.get(id) ?? connection(id, signal);
    read.set(id, reading);
    return reading;
  };
  const target = await connectionOf(connectionId);
  const bound = definition.parties.map(async ({ key, type }): Promise<[string, Bound]> => {
    const given = Object.hasOwn(bindings, key) ? bindings[key] : undefined;
    if (given === undefined && type === OWNER_PARTY)
      return [key, { userId: companyId, connection: undefined }];
    if (typeof given === 'string' && given !== target.personId)
      return [key, { userId: given, connection: undefined }];
    const own = typeof given === 'object' ? await connectionOf(given.connectionId) : target;
    return [key, { userId: own.personId, connection: own }];
  });
  return new Map(await Promise.all(bound));
}

type SealableTag = { tag: string; v: string; t: string; isPrivate: boolean };

function tagOf(
  tag: string,
  {
    bound,
    run: { tags = {} },
    types,
  }: {
    bound: ReadonlyMap<string, Bound>;
    run: Pick<NewFlowRun, 'tags'>;
    types: Readonly<Record<string, string>>;
  },
): SealableTag {
  const given = Object.hasOwn(tags, tag) ? tags[tag] : undefined;
  if (typeof given === 'string') return { tag, v: given, t: 'text', isPrivate: false };
  if (given !== undefined)
    return { tag, v: given.value, t: given.type ?? 'text', isPrivate: given.private ?? false };
  const [party = '', field = ''] = tag.split('.');
  const connection = bound.get(party)?.connection;
  const t = (Object.hasOwn(types, field) ? types[field] : undefined) ?? 'text';
  const isPrivate = connection?.valuesPrivate[field] ?? false;
  return { tag, v: textIn(connection?.values[field]), t, isPrivate };
}

/** As a text shows it: members of a composite, picks of a choice and blocks of a plugin one after the other. */
function textIn(shared: Pick<Value, 'value'> | undefined): string {
  const value = shared?.value ?? null;
  if (typeof value === 'string') return value;
  if (value instanceof PlainDate) return value.toString();
  if (value === null || value instanceof BinaryHandle || value instanceof SealedValue) return '';
  const isPlugin = 'blocks' in value && Array.isArray(value.blocks);
  const members: unknown[] = isPlugin ? value.blocks.map((block) => block.value) : Object.values(value);
  return members
    .filter((member) => isAnswered(member))
    .map(textOf)
    .join(isPlugin ? ' / ' : ', ');
}

async function tagCopies(
  tags: readonly SealableTag[],
  keys: ReadonlyMap<string, string>,
  companyId: string,
): Promise<NonNullable<StartFlowRunRequest['tag_values']>> {
  const shared = tags.filter(({ isPrivate }) => !isPrivate);
  const members = Object.fromEntries(shared.map(({ tag, v, t }) => [tag, { v, t }]));
  const copies = [...keys].map(async ([user, publicKey]) => {
    const sealed = async (content: object) =>
      serializeWrapper(await sealValue(JSON.stringify(content), publicKey));
    const own = tags
      .filter(({ isPrivate }) => isPrivate)
      .map(async ({ tag, v, t }) => [tag, await sealed({ v, t })] as const);
    const copy = {
      recipient_pubkey_sha256: await fingerprint(publicKey),
      public: await sealed(members),
      public_tags: shared.map(({ tag }) => tag),
      private: Object.fromEntries(await Promise.all(own)),
    };
    return [user === companyId ? 'company' : user, copy] as const;
  });
  return Object.fromEntries(await Promise.all(copies));
}

type SourceFile = { key: string; owner: string; envelope: string };

/** The files that the run takes from what parties share. What is missing is refused by the platform. */
async function filesOf(
  definition: FlowDefinition,
  bound: ReadonlyMap<string, Bound>,
  { files = {}, signal }: NewFlowRun,
): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const { key, party, requestSlug } of connectionSources(definition)) {
    const { connection, userId: owner = '' } = bound.get(party) ?? {};
    const given = Object.hasOwn(files, key) ? files[key] : undefined;
    const shared = connection?.values[requestSlug]?.value;
    if (given !== undefined) found.push({ key, owner, envelope: envelopeOf(given) });
    else if (shared instanceof BinaryHandle) {
      const [file] = (await shared.open({ signal })).files;
      if (file === undefined) continue;
      const { bytes, mimeType, name } = file;
      const envelope = buildFileEnvelope({ file: { bytes, mimeType, originalName: name ?? requestSlug } });
      found.push({ key, owner, envelope });
    }
  }
  return found;
}

async function uploads(
  { api, flow }: Pick<StartParts, 'api' | 'flow'>,
  {
    files,
    keys,
    signal,
  }: {
    files: readonly SourceFile[];
    keys: ReadonlyMap<string, string>;
    signal: AbortSignal | undefined;
  },
): Promise<NonNullable<StartFlowRunRequest['source_files']>> {
  const copies: NonNullable<StartFlowRunRequest['source_files']> = [];
  for (const { key, owner, envelope } of files)
    for (const [user, publicKey] of keys) {
      const json = {
        source_user_id: owner,
        value: serializeWrapper(await sealValue(envelope, publicKey)),
      };
      const { file } = await api.json<FlowFile>({ method: 'POST', path: `${flow}/run-files`, json, signal });
      copies.push({ source_key: key, for_user_id: user, file });
    }
  return copies;
}
