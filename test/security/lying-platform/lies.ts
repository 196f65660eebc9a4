import { openText } from '@symbolon/crypto';
import type { Lie, ProxiedCall } from '@symbolon/testkit/servers/lying-proxy';

/** Nobody whom anybody chose. */
export const GHOST = '00000000-0000-7000-8000-0000000060a7';

type Members = Record<string, unknown>;
/** The key of the one who lies. */
export type Thief = { publicKey: string; sha256: string };

/** What is replaced in answers, everywhere in them: owners with their keys, keys alone, parties, targets, deliveries. */
export const LIES = {
  owner: (thief: Thief) => everywhere(thief, true),
  key: (thief: Thief) => everywhere(thief, false),
  /** Beside the fingerprint of the right one. */
  keyAlone: (thief: Thief) => everywhere(thief, false, false),
  party: (thief: Thief) => bound(thief, true),
  /** Bound to a party that the flow does not have, so that no page shows it. */
  hiddenParty: (thief: Thief) => bound(thief, false),
  target: (): Lie =>
    within((members) => {
      if ('person_user_id' in members) members.person_user_id = null;
    }),
  delivery: (): Lie =>
    within((members) => {
      if ('delivery' in members) members.delivery = 'plaintext';
    }),
} as const;
export type LieName = keyof typeof LIES;

/** One service in the place of another, with its own key: both are known. */
export const inPlaceOf = (
  id: string,
  other: { id: string; public_key: string; public_key_sha256: string },
): Lie =>
  within((members) => {
    if (members.service_id === id) members.service_id = other.id;
    if (members.id !== id || !('public_key' in members)) return;
    for (const name of ['id', 'public_key', 'public_key_sha256'] as const) members[name] = other[name];
  });

/** A request and a consent of others than those that were shown. */
export function askedInPlace(answer: unknown, path: string): unknown {
  const of = answer as { company?: { company_code: string }; consents?: { connection_id: string }[] };
  if (path.startsWith('/api/person/connect-requests/') && of.company) of.company.company_code = 'OTHERS';
  for (const consent of of.consents ?? []) consent.connection_id = GHOST;
  return answer;
}

function bound(thief: Thief, isShown: boolean): Lie {
  const add = within((members) => {
    if (!isObject(members.bindings)) return;
    members.bindings.ghost = GHOST;
    const { definition } = members;
    if (isShown && isObject(definition) && Array.isArray(definition.parties))
      definition.parties.push({ key: 'ghost', label: 'Ghost' });
  });
  return (answer, call) => batch(answer, call, thief, (id) => id === GHOST) ?? add(answer);
}

function everywhere(thief: Thief, withOwner: boolean, withFingerprint = true): Lie {
  const replace = within((members) => {
    for (const name of ['public_key', 'service_public_key'])
      if (typeof members[name] === 'string') members[name] = thief.publicKey;
    if (withFingerprint && 'public_key_sha256' in members) members.public_key_sha256 = thief.sha256;
    if (!withOwner) return;
    // A person's own account is compared by the device itself.
    if ('public_key' in members && typeof members.id === 'string') members.id = GHOST;
    if ('public_key' in members && 'client_id' in members) members.client_id = GHOST;
    for (const name of ['service_id', 'user_id', 'person_user_id'])
      if (typeof members[name] === 'string') members[name] = GHOST;
  });
  return (answer, call) => batch(answer, call, thief, () => true) ?? replace(answer);
}

/** The keys of people are answered by their ids. */
function batch(answer: unknown, { path, body }: ProxiedCall, thief: Thief, isLie: (id: string) => boolean) {
  if (path !== '/api/keys/batch') return undefined;
  const { keys } = answer as { keys: Members };
  for (const id of (body as { user_ids: string[] }).user_ids) if (isLie(id)) keys[id] = thief.publicKey;
  return answer;
}

/** Changes every object of an answer. */
const within = (change: (members: Members) => void) => (answer: unknown) => {
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value)) {
      Object.values(value).forEach(visit);
      change(value);
    }
  };
  visit(answer);
  return answer;
};

/** What of the calls the one who lies can read: the text of what its key opens, and plain text that holds the marker. */
export async function readable(
  calls: readonly ProxiedCall[],
  key: CryptoKey,
  marker: string,
): Promise<string[]> {
  const found: string[] = [];
  const visit = async (value: unknown): Promise<void> => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (typeof value === 'string' && (value.includes(marker) || value.includes(btoa(marker))))
      found.push(value);
    if (text?.startsWith('{')) {
      const opened = await openText(text, key).catch(() => undefined);
      if (opened !== undefined) found.push(opened);
    }
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) await visit(one);
  };
  for (const { body } of calls) await visit(body);
  return found;
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
