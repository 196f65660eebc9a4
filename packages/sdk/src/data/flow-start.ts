import { buildFileEnvelope, fingerprint, sealValue, serializeWrapper } from '@symbolon/crypto';
import { connectionSources, isAnswered, partyTags, textOf } from '@symbolon/flows';
import type { FlowDefinition, FlowFile, StartFlowRunRequest } from '@symbolon/protocol';
import { OWNER_PARTY } from '@symbolon/protocol/constants';
import { type DocumentFile, envelopeOf } from '../documents/document-file.ts';
import { type Api, path } from '../http/api.ts';
import { InvalidRequestError } from '../http/errors.ts';
import { PlainDate } from '../values/plain-date.ts';
import { BinaryHandle } from './binary-handle.ts';
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

type Parts = {
  api: Pick<Api, 'json'>;
  connection: (id: string, signal?: AbortSignal) => Promise<Connection>;
  /** By user id, the service's own under the id of the company. */
  keys: (users: readonly string[], companyId: string, signal?: AbortSignal) => Promise<Map<string, string>>;
};
type Published = { definition: FlowDefinition; types: Readonly<Record<string, string>>; version: number };
type Bound = { userId: string; connection: Connection | undefined };

/** What the start of a run sends, and the tags of customers that nothing fills. Copies of files are uploaded for it. */
export async function startRequest(
  parts: Parts,
  { flowId, companyId, published }: { flowId: string; companyId: string; published: Published },
  run: NewFlowRun,
): Promise<{ request: StartFlowRunRequest; emptyTags: readonly string[] }> {
  const { definition, version } = published;
  const { signal } = run;
  const known = partyTags(definition).others;
  refuseUnknown([
    { what: 'party', names: run.bindings, has: definition.parties.map(({ key }) => key) },
    { what: 'tag of a customer', names: run.tags, has: known },
    { what: 'file of a party', names: run.files, has: connectionSources(definition).map(({ key }) => key) },
  ]);
  const bound = await boundParties(parts, { definition, companyId }, run);
  const users = [...new Set([...bound.values()].map(({ userId }) => userId))];
  const tags = known.map((tag) => tagOf(tag, { bound, run, types: published.types }));
  const files = await filesOf(definition, bound, run);
  const isSealed = tags.length > 0 || files.length > 0;
  const keys = isSealed ? await parts.keys(users, companyId, signal) : new Map<string, string>();
  const request = {
    target: { connection_id: run.connectionId },
    bindings: Object.fromEntries([...bound].map(([party, { userId }]) => [party, userId])),
    flow_version: run.version ?? version,
    ...(run.reference !== undefined && { reference: run.reference }),
    ...(tags.length > 0 && { tag_values: await tagCopies(tags, keys, companyId) }),
    ...(files.length > 0 && { source_files: await uploads(parts, { flowId, files, keys, signal }) }),
  };
  return { request, emptyTags: tags.filter(({ v }) => v === '').map(({ tag }) => tag) };
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
  { connection }: Parts,
  { definition, companyId }: { definition: FlowDefinition; companyId: string },
  { bindings = {}, connectionId, signal }: NewFlowRun,
): Promise<Map<string, Bound>> {
  const read = new Map<string, Promise<Connection>>();
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
  }: { bound: ReadonlyMap<string, Bound>; run: NewFlowRun; types: Readonly<Record<string, string>> },
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
function textIn(shared: Value | undefined): string {
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
  { api }: Parts,
  {
    flowId,
    files,
    keys,
    signal,
  }: {
    flowId: string;
    files: readonly SourceFile[];
    keys: ReadonlyMap<string, string>;
    signal: AbortSignal | undefined;
  },
): Promise<NonNullable<StartFlowRunRequest['source_files']>> {
  const copies: NonNullable<StartFlowRunRequest['source_files']> = [];
  const address = path`/api/company-data/flows/${flowId}/run-files`;
  for (const { key, owner, envelope } of files)
    for (const [user, publicKey] of keys) {
      const json = {
        source_user_id: owner,
        value: serializeWrapper(await sealValue(envelope, publicKey)),
      };
      const { file } = await api.json<FlowFile>({ method: 'POST', path: address, json, signal });
      copies.push({ source_key: key, for_user_id: user, file });
    }
  return copies;
}
