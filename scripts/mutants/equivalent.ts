import type { Kind, Mutant } from './mutable.ts';

/** A mutant that no caller can see. */
export interface Equivalent {
  /** From the root of the project. */
  readonly file: string;
  readonly kind: Kind;
  /** The line of the source, trimmed: all mutants of the kind in such lines are meant. */
  readonly text: string;
  /** Why it cannot be observed. */
  readonly reason: string;
}

const LOCKED_ANEW =
  'It is read again after a lock, which the embedded database does not take: there it is what was found before.';

const POSTGRES_ALONE = 'Only PostgreSQL runs it, without which mutants are tried.';

const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'packages/server/src/domains/agreements/cancellations/store.ts',
    kind: 'bound',
    text: "if (passed.length > 0) rows = rows.where('documents.company_id', 'not in', passed);",
    reason: 'An embedded database takes an empty list, which nothing is in. PostgreSQL refuses it.',
  },
  {
    file: 'packages/server/src/domains/agreements/acts/line-acts.ts',
    kind: 'guard',
    text: "if (company === undefined) throw new PlatformError('documents.not_found');",
    reason:
      'The line was read a moment before: the company goes with its documents, between the two reads alone.',
  },
  {
    file: 'packages/server/src/domains/agreements/acts/line-acts.ts',
    kind: 'error',
    text: "if (company === undefined) throw new PlatformError('documents.not_found');",
    reason:
      'The line was read a moment before: the company goes with its documents, between the two reads alone.',
  },
  {
    file: 'packages/server/src/domains/approval/challenges/proving-challenges.ts',
    kind: 'guard',
    text: "if (spent.length === 0) throw new PlatformError('documents.challenge_invalid');",
    reason:
      'It was checked in the same transaction, and those of an embedded database run one after the other.',
  },
  {
    file: 'packages/server/src/domains/approval/challenges/proving-challenges.ts',
    kind: 'error',
    text: "if (spent.length === 0) throw new PlatformError('documents.challenge_invalid');",
    reason:
      'It was checked in the same transaction, and those of an embedded database run one after the other.',
  },
  {
    file: 'packages/server/src/domains/flows/generation/filling.ts',
    kind: 'guard',
    text: "if (node === undefined) throw new PlatformError('flows.version_not_found');",
    reason: 'A run stands at a node of its own version, which never changes.',
  },
  {
    file: 'packages/server/src/domains/flows/generation/filling.ts',
    kind: 'error',
    text: "if (node === undefined) throw new PlatformError('flows.version_not_found');",
    reason: 'A run stands at a node of its own version, which never changes.',
  },
  {
    file: 'packages/server/src/domains/accounts/presence/presence.ts',
    kind: 'guard',
    text: "if (principal?.kind !== 'person' && principal?.kind !== 'portal')",
    reason: 'Only routes that people and the portal alone may call ask for a proof.',
  },
  {
    file: 'packages/server/src/domains/accounts/presence/presence.ts',
    kind: 'error',
    text: "throw new PlatformError('auth.forbidden');",
    reason: 'Only routes that people and the portal alone may call ask for a proof.',
  },
  {
    file: 'packages/server/src/domains/regions/relay/routes.ts',
    kind: 'bound',
    text: 'return body.length > FORM_BYTES ? {} : Object.fromEntries(new URLSearchParams(body.toString()));',
    reason: 'A region that gets the form of an app at home elsewhere passes it on.',
  },
  {
    file: 'packages/server/src/domains/agreements/documents/documents.ts',
    kind: 'guard',
    text: "if (locked === undefined) throw new PlatformError('company_data.connection_not_found');",
    reason: LOCKED_ANEW,
  },
  {
    file: 'packages/server/src/domains/agreements/documents/documents.ts',
    kind: 'error',
    text: "if (locked === undefined) throw new PlatformError('company_data.connection_not_found');",
    reason: LOCKED_ANEW,
  },
  {
    file: 'packages/server/src/domains/sharing/company-connections/company-connections.ts',
    kind: 'guard',
    text: "if (links.length === 0) throw new PlatformError('connections.not_found');",
    reason: LOCKED_ANEW,
  },
  {
    file: 'packages/server/src/domains/sharing/company-connections/company-connections.ts',
    kind: 'error',
    text: "if (links.length === 0) throw new PlatformError('connections.not_found');",
    reason: LOCKED_ANEW,
  },
  {
    file: 'packages/server/src/db/saving.ts',
    kind: 'await',
    text: "if (folder === undefined && wasAway) await save(writer, randomBytes(ROOM / 2).toString('hex'));",
    reason: 'An embedded database has a folder.',
  },
  {
    file: 'packages/server/src/domains/regions/moves/registration-store.ts',
    kind: 'bound',
    text: ".where('connection_id', '>', after)",
    reason: 'A connection has fewer slots than a range: ranges would only be smaller.',
  },
  {
    file: 'packages/server/src/domains/regions/directory/index.ts',
    kind: 'await',
    text: 'await needs.relayedAnswers.start();',
    reason: 'It subscribes to a channel, which an embedded database does at once.',
  },
  {
    file: 'packages/server/src/domains/regions/moves/freeze-store.ts',
    kind: 'await',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of a source
    text: "if (engine === 'postgres') await sql`set local lock_timeout = ${sql.lit(DROP_LOCK_MS)}`.execute(writer);",
    reason: POSTGRES_ALONE,
  },
  {
    file: 'packages/server/src/domains/regions/messages/store.ts',
    kind: 'await',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of a source
    text: 'await sql`select pg_advisory_xact_lock(hashtextextended(${`region ${to} ${lane}`}, 0))`.execute(writer);',
    reason: POSTGRES_ALONE,
  },
  {
    file: 'packages/server/src/db/database.ts',
    kind: 'await',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of a source
    text: 'await sql`select pg_advisory_xact_lock(hashtextextended(id, 0)) from unnest(${ids}::text[]) as id`.execute(',
    reason: POSTGRES_ALONE,
  },
  {
    file: 'packages/server/src/db/database.ts',
    kind: 'await',
    text: "await writer.selectFrom(table).select('id').where(chosen).orderBy('id').forUpdate().execute();",
    reason: POSTGRES_ALONE,
  },
  {
    file: 'packages/server/src/domains/delivery/person-signals/routes.ts',
    kind: 'guard',
    text: "if (identify === null) throw new PlatformError('auth.forbidden');",
    reason: 'Every route that streams looks its caller up by it.',
  },
  {
    file: 'packages/server/src/domains/delivery/person-signals/routes.ts',
    kind: 'error',
    text: "if (identify === null) throw new PlatformError('auth.forbidden');",
    reason: 'Every route that streams looks its caller up by it.',
  },
  {
    file: 'packages/server/src/domains/approval/tokens/used-codes.ts',
    kind: 'bound',
    text: 'if (owed.until > now) {',
    reason: 'At that moment the code and its token have both ended: no query asks about them any more.',
  },
  {
    file: 'packages/server/src/domains/operations/jobs/job-worker.ts',
    kind: 'bound',
    text: 'if (this.#memory.size >= REMEMBERED_MOST)',
    reason: 'One more or one less is remembered.',
  },
  {
    file: 'packages/server/src/domains/regions/directory/seen-calls.ts',
    kind: 'bound',
    text: 'if (expiresAt > clock.now()) break;',
    reason: 'A call is refused for its age long before its id is forgotten.',
  },
  {
    file: 'packages/server/src/domains/services/services/store.ts',
    kind: 'bound',
    text: 'if (removed.length > 0)',
    reason: 'An embedded database takes an empty list, which nothing is in. PostgreSQL refuses it.',
  },
  {
    file: 'packages/server/src/domains/sharing/connections/pending-notifications.ts',
    kind: 'bound',
    text: 'if (gone.length > 0 && passed.size > 0) await forgetPassedOver(engine, writer, key, gone);',
    reason:
      'It forgets nothing where nothing was passed over or no one has left. PostgreSQL refuses an empty list.',
  },
  {
    file: 'packages/server/src/http/json-reader.ts',
    kind: 'bound',
    text: 'while (last > start && block.length - last < 4 && isContinuation(block[last])) last--;',
    reason:
      'One byte more is looked at, which begins no character: the whole block is taken, and what is no UTF-8 is refused.',
  },
  {
    file: 'packages/server/src/domains/plugins/passes/sealed.ts',
    kind: 'bound',
    text: 'if (data.length < IV_BYTES + TAG_BYTES || !keys.has(Number(version))) return undefined;',
    reason: 'Only an empty text has this length, and clients seal none.',
  },
];

/** The mutants that a caller can see, and what of the list is no longer in the sources. */
export function withoutEquivalent<One extends Mutant>(
  mutants: readonly One[],
  listed: readonly Equivalent[] = EQUIVALENT,
): { readonly visible: readonly One[]; readonly gone: readonly Equivalent[] } {
  const keyOf = ({ file, kind, text }: Pick<Mutant, 'file' | 'kind' | 'text'>) =>
    JSON.stringify([file, kind, text]);
  const found = new Set(mutants.map(keyOf));
  const hidden = new Set(listed.map(keyOf));
  return {
    visible: mutants.filter((mutant) => !hidden.has(keyOf(mutant))),
    gone: listed.filter((one) => !found.has(keyOf(one))),
  };
}
