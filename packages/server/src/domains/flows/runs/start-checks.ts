import { connectionSources, type PartyTags } from '@symbolon/flows';
import type { FlowDefinition, StartFlowRunRequest } from '@symbolon/protocol';
import { OWNER_PARTY } from '@symbolon/protocol/constants';
import { PlatformError } from '../../../core/errors.ts';
import { sealedText } from './sealed-copy.ts';
import type { Customer } from './start-store.ts';
import { boundUsers } from './states.ts';
import type { FlowRunUploadRow } from './tables.ts';

/** Under this word a start has what is sealed for the owning company. */
const COMPANY = 'company';

/**
 * Who answers as which party, in the order sent.
 * @throws {PlatformError} flows.bindings_invalid
 */
export function readBindings(
  { parties }: FlowDefinition,
  { bindings }: StartFlowRunRequest,
  companyId: string,
): ReadonlyMap<string, string> {
  const sent = new Map(Object.entries(bindings));
  const isComplete = sent.size === parties.length && parties.every(({ key }) => sent.has(key));
  const isOwned = parties.every(({ key, type }) => type !== OWNER_PARTY || sent.get(key) === companyId);
  if (!isComplete || !isOwned) throw new PlatformError('flows.bindings_invalid');
  return sent;
}

/** @throws {PlatformError} flows.bindings_invalid: one answer for unknown, unconnected and foreign ids */
export function refuseStrangers(
  bindings: ReadonlyMap<string, string>,
  companyId: string,
  customers: readonly Customer[],
): void {
  const known = new Set([companyId, ...customers.map(({ customer_id }) => customer_id)]);
  if (boundUsers(bindings).some((user) => !known.has(user)))
    throw new PlatformError('flows.bindings_invalid');
}

/** The sealed values of tags for one bound user, as they are stored. */
export interface TagCopy {
  readonly userId: string;
  /** As it was sent: the user id or `company`. */
  readonly recipient: string;
  readonly fingerprint: string | undefined;
  readonly tags: ReadonlySet<string>;
  /** JSON of `FlowTagValues`. */
  readonly value: string;
}

/**
 * The values of tags that a start brings.
 * @throws {PlatformError} flows.bindings_invalid for a party that is not bound, contact_data.encryption_required,
 *   contact_data.wrapper_invalid, contact_data.value_too_large
 */
export function readTagCopies(
  { tag_values }: StartFlowRunRequest,
  bindings: ReadonlyMap<string, string>,
  companyId: string,
): TagCopy[] {
  const bound = new Set([companyId, ...bindings.values()]);
  return Object.entries(tag_values ?? {}).map(([recipient, sent]) => {
    const userId = recipient === COMPANY ? companyId : recipient;
    if (!bound.has(userId)) throw new PlatformError('flows.bindings_invalid');
    const { recipient_pubkey_sha256: fingerprint, public_tags = [], private: ofPrivate = {} } = sent;
    const isSealed = sent.public !== undefined && sent.public !== null;
    const value = {
      public: isSealed ? sealedText(sent.public) : null,
      public_tags,
      private: Object.fromEntries(Object.entries(ofPrivate).map(([tag, copy]) => [tag, sealedText(copy)])),
    };
    const tags = new Set([...(isSealed ? public_tags : []), ...Object.keys(ofPrivate)]);
    return { userId, recipient, fingerprint, tags, value: JSON.stringify(value) };
  });
}

/**
 * Refuses a start whose values are sealed to a key that its owner no longer has, or that lacks values for a tag.
 * @param fingerprints of the keys as they are now, by user id
 * @throws {PlatformError} flows.tag_values_stale
 */
export function refuseStaleTags(
  { others: needed }: PartyTags,
  copies: readonly TagCopy[],
  {
    bindings,
    companyId,
    fingerprints,
  }: {
    readonly bindings: ReadonlyMap<string, string>;
    readonly companyId: string;
    readonly fingerprints: ReadonlyMap<string, string | null>;
  },
): void {
  const byUser = new Map(copies.map((copy) => [copy.userId, copy]));
  const needing = needed.length === 0 ? [] : boundUsers(bindings);
  const stale = new Set([...needing, ...byUser.keys()]).values().filter((user) => {
    const copy = byUser.get(user);
    if (copy === undefined) return true;
    return copy.fingerprint !== fingerprints.get(user) || needed.some((tag) => !copy.tags.has(tag));
  });
  const named = [...stale].map((user) => (user === companyId ? COMPANY : user));
  if (named.length > 0) throw new PlatformError('flows.tag_values_stale', { details: { stale: named } });
}

/** A copy of a file that a run takes, as its upload has it. */
export interface SourceCopy {
  readonly sourceKey: string;
  readonly userId: string;
  readonly upload: FlowRunUploadRow;
}

/**
 * The copies of files that a start brings: one of each source for everybody who is bound.
 * @param hasAnswer whether the connection of a user has an answer to a request row
 * @throws {PlatformError} flows.source_files_invalid
 */
export function readSources(
  definition: FlowDefinition,
  { source_files }: StartFlowRunRequest,
  {
    bindings,
    uploads,
    hasAnswer,
  }: {
    readonly bindings: ReadonlyMap<string, string>;
    readonly uploads: ReadonlyMap<string, FlowRunUploadRow>;
    readonly hasAnswer: (userId: string, requestSlug: string) => boolean;
  },
): SourceCopy[] {
  const sources = new Map(connectionSources(definition).map((source) => [source.key, source]));
  const users = boundUsers(bindings);
  const copies = new Map<string, SourceCopy>();
  const used = new Set<string>();
  const unexpected: string[] = [];
  for (const { source_key: sourceKey, for_user_id: userId, file } of source_files ?? []) {
    const source = sources.get(sourceKey);
    const upload = uploads.get(file);
    const place = `${userId} ${sourceKey}`;
    const isOwn = upload?.user_id === null || upload?.user_id === bindings.get(source?.party ?? '');
    if (
      source === undefined ||
      upload === undefined ||
      !isOwn ||
      !users.includes(userId) ||
      used.has(file) ||
      copies.has(place)
    ) {
      unexpected.push(file);
      continue;
    }
    used.add(file);
    copies.set(place, { sourceKey, userId, upload });
  }
  const brought = new Set(copies.values().map(({ sourceKey }) => sourceKey));
  const missing = [...sources.values()].flatMap(({ key, party, requestSlug, required }) => {
    const owner = bindings.get(party) ?? '';
    if (!required && !brought.has(key) && !hasAnswer(owner, requestSlug)) return [];
    return users
      .filter((user) => !copies.has(`${user} ${key}`))
      .map((user) => ({ source_key: key, for_user_id: user, source_user_id: owner }));
  });
  if (missing.length > 0 || unexpected.length > 0)
    throw new PlatformError('flows.source_files_invalid', { details: { missing, unexpected } });
  return [...copies.values()];
}
