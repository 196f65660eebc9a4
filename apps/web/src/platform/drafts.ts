import { openText, sealValue, serializeWrapper } from '@symbolon/crypto';
import type { Draft as StoredDraft } from '@symbolon/protocol';
import { type Call, SymbolonError } from '@symbolon/sdk/device';
import { settings } from '../text/settings.ts';
import { DRAFTS } from './forms.ts';
import { call } from './inner/api.ts';
import type { SignedIn } from './session.ts';

/** What stands in one part of a draft, and since when; null where the person has emptied it. */
type Part = { readonly value: unknown; readonly at: number };
type Parts = ReadonlyMap<string, Part>;
/** What a form shows: its parts that are not empty. */
export type Begun<Value> = ReadonlyMap<string, Value>;

/** As this browser keeps it; `isSent`: the platform had just this. */
type Local = { readonly sealed: string; readonly isSent: boolean };

/** Whose drafts, and where and how they are kept. */
export interface DraftHolder {
  /** What begins the names of the drafts in this browser, different for each account. */
  readonly place: string;
  /** What begins their addresses at the platform. */
  readonly path: string;
  call<T>(method: Call['method'], path: string, json?: unknown): Promise<T>;
  /** undefined while the key is not open: nothing is kept then. */
  box(): Box | undefined;
}

/** Seals a text to a key that this device can open. */
interface Box {
  seal(text: string): Promise<string>;
  open(sealed: string): Promise<string>;
}

/** The drafts of a person, sealed to the person's own key. */
export const personDrafts = ({ person, keys }: SignedIn): DraftHolder => ({
  place: `${DRAFTS}${person.person_user_id}.`,
  path: '/api/person/drafts/',
  call,
  box: () =>
    keys && {
      seal: async (text) => serializeWrapper(await sealValue(text, person.public_key)),
      open: (sealed) => openText(sealed, keys.key),
    },
});

/** What is being stored, by the names of drafts: one after the other, also where a form is opened again meanwhile. */
const storing = new Map<string, Promise<void>>();

/** As long as the person goes on typing, the platform is not asked. */
const SENT_AFTER_MS = 1_500;

/**
 * A text that was begun and not sent yet, sealed: in this browser at once, and at the platform a moment
 * later, so that another device goes on with it. Of two devices each part counts as it was typed last.
 */
export class Draft<Value> {
  readonly #name: string;
  readonly #holder: DraftHolder;
  #parts: Parts = new Map();
  /** Whether what the platform has is part of `#parts`: nothing is stored over what was not read. */
  #isMerged = false;
  /** Whether the platform has one, as far as it is known. */
  #isThere = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param name of what is begun, the same on every device */
  constructor(name: string, holder: DraftHolder) {
    this.#name = name;
    this.#holder = holder;
  }

  async read(): Promise<Begun<Value>> {
    await storing.get(this.#address);
    const local = readLocal(this.#address);
    const remote = await this.#remote();
    const isOver = remote === null && local?.isSent === true;
    // It was sent, or thrown away, on another device.
    if (isOver) settings.drop(this.#address);
    const mine = local === undefined || isOver ? new Map<string, Part>() : await this.#open(local.sealed);
    const theirs = remote ? await this.#open(remote.value) : new Map<string, Part>();
    this.#isMerged = remote !== undefined;
    // The person may have typed meanwhile.
    this.#parts = merged(this.#parts, merged(mine, theirs));
    return begun<Value>(this.#parts);
  }

  /** Keeps what stands in the form now. Parts that are the same objects as before keep their time. */
  keep(now: Begun<Value>): void {
    if (this.#isOver || this.#holder.box() === undefined) return;
    const next = changed(this.#parts, now, Date.now());
    if (next === this.#parts) return;
    this.#parts = next;
    this.#inTurn(async () => {
      settings.keep(this.#address, JSON.stringify({ sealed: await this.#seal(), isSent: false }));
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), SENT_AFTER_MS);
  }

  /** Stores at the platform what it does not have yet: a page that is left may not come back. */
  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#inTurn(() => this.#send());
  }

  /** What was begun is sent, or not wanted any more. */
  drop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#inTurn(async () => {
      settings.drop(this.#address);
      if (!this.#isMerged || this.#isThere) await this.#holder.call('DELETE', this.#path);
      this.#isThere = false;
    });
  }

  /** A draft that is kept for what comes next under the same name. */
  startOver(): void {
    this.drop();
    this.#isOver = false;
    this.#parts = new Map();
  }

  async #send(): Promise<void> {
    if (this.#isOver) return;
    if (!this.#isMerged) {
      const remote = await this.#remote();
      if (remote === undefined) return;
      if (remote !== null) this.#parts = merged(this.#parts, await this.#open(remote.value));
      this.#isMerged = true;
    }
    const value = await this.#seal();
    await this.#holder.call('PUT', this.#path, { value });
    this.#isThere = true;
    if (!this.#isOver)
      settings.keep(this.#address, JSON.stringify({ sealed: value, isSent: true } satisfies Local));
  }

  /** @returns null where there is none; undefined where the platform does not say */
  async #remote(): Promise<StoredDraft | null | undefined> {
    try {
      const draft = await this.#holder.call<StoredDraft>('GET', this.#path);
      this.#isThere = true;
      return draft;
    } catch (error) {
      return error instanceof SymbolonError && error.errorKey === 'people.draft_not_found' ? null : undefined;
    }
  }

  async #seal(): Promise<string> {
    const box = this.#holder.box();
    if (box === undefined) throw new Error('The key of the draft is not open.');
    return box.seal(JSON.stringify([...this.#parts]));
  }

  /** What this key does not open is no draft of its holder. */
  async #open(sealed: string): Promise<Parts> {
    try {
      return new Map(JSON.parse((await this.#holder.box()?.open(sealed)) ?? '[]'));
    } catch {
      return new Map();
    }
  }

  /** A draft that cannot be kept, as without a network or without room, keeps the person from nothing. */
  #inTurn(work: () => Promise<void>): void {
    const before = storing.get(this.#address) ?? Promise.resolve();
    storing.set(
      this.#address,
      before.then(work).catch(() => undefined),
    );
  }

  get #address(): string {
    return `${this.#holder.place}${this.#name}`;
  }

  get #path(): string {
    return `${this.#holder.path}${encodeURIComponent(this.#name)}`;
  }
}

function readLocal(address: string): Local | undefined {
  try {
    return JSON.parse(settings.read(address) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Each part as it was typed last. */
export function merged(one: Parts, other: Parts): Parts {
  const parts = new Map(one);
  for (const [key, part] of other) if (part.at > (parts.get(key)?.at ?? 0)) parts.set(key, part);
  return parts;
}

/** The parts as they stand now; the same map where nothing has changed. */
export function changed(before: Parts, now: Begun<unknown>, at: number): Parts {
  const next = new Map(before);
  let isOther = false;
  for (const key of new Set([...before.keys(), ...now.keys()])) {
    const value = now.get(key) ?? null;
    if ((before.get(key)?.value ?? null) === value) continue;
    next.set(key, { value, at });
    isOther = true;
  }
  return isOther ? next : before;
}

export const begun = <Value>(parts: Parts): Begun<Value> =>
  new Map([...parts].flatMap(([key, { value }]) => (value === null ? [] : [[key, value as Value]])));
