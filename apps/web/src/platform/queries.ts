import type { PersonSignalKind } from '@symbolon/protocol';
import {
  hashKey,
  partialMatchKey,
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';

/** Something that a page shows: read of the platform, or made here of what was read. */
export interface Query<T> {
  readonly key: Key;
  /** Which part or version of it. While another is read, what was found stays. */
  readonly part?: string | number;
  /** @param known what was read before */
  readonly read: (known: T | undefined) => Promise<T>;
  /** Secrets in clear, challenges, and what edits begin with: a page that is opened again reads it before it shows anything. */
  readonly isFresh?: true;
  /** Read again so often while a page that is in front shows it: no signal tells that something has happened. */
  readonly everyMs?: number;
}

/** Whose it is: it goes when the person, the login of the company or the operator is signed out. */
type Owner = 'person' | 'portal' | 'operator';
export type Key = readonly [owner: Owner, noun: string, ...about: readonly unknown[]];

const person = (noun: string, ...about: readonly unknown[]): Key => ['person', noun, ...about];

/** The names under which a person's answers are kept. */
export const keys = {
  approvals: person('approvals'),
  blocked: person('blocked'),
  connection: (id: string) => person('connection', id),
  connections: person('connections'),
  consents: person('consents'),
  dataUri: (bytes: object, type: string) => person('data-uri', numberOf(bytes), type),
  document: (id: string) => person('document', id),
  documentCheck: (fieldId: string) => person('document-check', fieldId),
  documents: person('documents'),
  enrolments: person('enrolments'),
  fields: (key: object) => person('fields', numberOf(key)),
  file: (fieldId: string) => person('file', fieldId),
  opened: (documentId: string) => person('opened', documentId),
  passkeyOptions: person('passkey-options'),
  passkeys: person('passkeys'),
  passwordMeans: person('password-means'),
  push: person('push'),
  recovery: person('recovery'),
  recipients: (run: object) => person('recipients', numberOf(run)),
  request: (id: string) => person('request', id),
  requests: person('requests'),
  run: (id: string) => person('run', id),
  runCheck: (runId: string, bytes: object) => person('run-check', runId, numberOf(bytes)),
  runProgress: (id: string) => person('run-progress', id),
  runs: person('runs'),
  seal: (bytes: object) => person('seal', numberOf(bytes)),
  sessions: person('sessions'),
  history: person('history'),
  wordsOf: (publicKey: string) => person('words-of', publicKey),
  signIns: person('sign-ins'),
  thread: (connectionId: string) => person('thread', connectionId),
  threads: person('threads'),
  totp: person('totp'),
  wanted: (company: string, service: string) => person('wanted', company, service),
  warnings: (bytes: object) => person('warnings', numberOf(bytes)),
};

const numbers = new WeakMap<object, number>();
let given = 0;

/** Names an object, where what is made of it cannot be named by a text. */
export function numberOf(object: object): number {
  const number = numbers.get(object) ?? ++given;
  numbers.set(object, number);
  return number;
}

/** Answers of the platform and what was opened of them, while pages show them and for a while after. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      // Calls are repeated where the client of the platform knows that they may be, and signals tell what is outdated.
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
  },
});

/** How long plaintext stays after its page: as long as a page takes to be drawn once more. */
const FRESH_MS = 1_000;

export type Options<T> = UseQueryOptions<T, unknown>;

/** A query, as its library takes it. */
export function optionsOf<T>({ key, part = '', read, isFresh, everyMs }: Query<T>): Options<T> {
  const queryKey = [...key, part];
  return {
    queryKey,
    queryFn: () => read(answers.getQueryData<T>(queryKey)),
    placeholderData: (before, asked) =>
      asked !== undefined && hashKey(asked.queryKey.slice(0, -1)) === hashKey(key) ? before : undefined,
    ...(isFresh && { gcTime: FRESH_MS }),
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  };
}

/** Reads again what is shown. What was asked before, and does not tell what came of an act of the person, is dropped. */
export async function readAgain(queryKey: QueryKey): Promise<void> {
  const one = { queryKey, exact: true };
  answers.cancelQueries(one);
  await answers.refetchQueries({ ...one, type: 'active' });
}

/** Changes what is shown, after an act of the person. What was asked before the act is dropped, and asked again. */
export function changeFound<T>(queryKey: QueryKey, next: (before: T | undefined) => T | undefined): void {
  const one = { queryKey, exact: true };
  const isAsked = answers.isFetching(one) > 0;
  answers.cancelQueries(one);
  answers.setQueryData<T>(queryKey, next);
  if (isAsked) answers.refetchQueries({ ...one, type: 'active' });
}

/** Drops what was read in a session that has ended. */
export const dropAnswers = (owner: Owner) => answers.removeQueries({ queryKey: [owner] });

/** What was kept may be outdated by an act: a page that is opened next reads it before it shows it. */
export const distrust = (owner: Owner) =>
  answers.invalidateQueries({ queryKey: [owner], refetchType: 'none' });

/** All of it may be outdated. */
export const outdateAll = (owner: Owner): Promise<void> => answers.invalidateQueries({ queryKey: [owner] });

/** Reads again what is shown of it; what was kept besides is read again before it is shown for long. */
export const outdate = (...outdated: readonly Key[]): Promise<void> =>
  answers.invalidateQueries({
    predicate: ({ queryKey }) => outdated.some((key) => partialMatchKey(queryKey, key)),
  });

/** What each signal outdates, of one thing or, without an id, of all. */
const OUTDATED: Readonly<Record<PersonSignalKind, (id?: string) => readonly Key[]>> = {
  two_factor_challenge: () => [keys.approvals],
  two_factor_challenge_closed: () => [keys.approvals],
  message: (id) => [keys.threads, about('thread', id)],
  connect_request: () => [keys.requests],
  document: (id) => [keys.documents, about('document', id), keys.runs, about('run')],
  flow_run: (id) => [keys.runs, about('run', id)],
  session_changed: () => [],
};
const KINDS = Object.keys(OUTDATED) as PersonSignalKind[];

const about = (noun: string, id?: string): Key => (id === undefined ? person(noun) : person(noun, id));

/** Reads again what something has happened to. @param kind undefined when it is not known what happened */
export function outdatedBy(kind?: PersonSignalKind, id?: string): void {
  const kinds = kind === undefined ? KINDS : [kind];
  // No signal tells of a service that asks for more.
  outdate(keys.consents, ...kinds.flatMap((each) => OUTDATED[each](id)));
}
