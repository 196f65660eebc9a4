import type { KeyObject } from 'node:crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { ChangeEvent, CompanyValue } from '@symbolon/protocol';
import type { DecryptPool } from '../decrypt/decrypt-pool.ts';
import type { SealedBatch } from '../decrypt/open-batch.ts';
import type { Api } from '../http/api.ts';
import { typedValue } from '../values/typed-value.ts';
import { BinaryHandle } from './binary-handle.ts';
import { openBinary } from './open-binary.ts';
import type { Reference } from './reference.ts';
import { SealedValue, type Value, type Values } from './value.ts';

export type OpenerParts = {
  api: Api;
  reference: Reference;
  pool: DecryptPool | undefined;
  key: KeyObject | undefined;
  digestHeader: string;
};

/** A value in a connection or an event, as the platform sends it. */
export type WireValue = Partial<CompanyValue>;

/** Opens sealed values, many in one batch, and gives them the shape of their types (wire 2.5). */
export class Opener {
  readonly #parts: OpenerParts;

  constructor(parts: OpenerParts) {
    this.#parts = parts;
  }

  /**
   * Opens the answers of some connections in one batch. Rows that a connection has not answered have a null value.
   */
  async openValues(
    maps: readonly Readonly<Record<string, WireValue>>[],
    options: { decrypt?: boolean | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<Values[]> {
    const answers = maps.flatMap((map) => Object.entries(map));
    const slugs = new Set(answers.map(([slug]) => slug));
    const texts = this.#openAll(
      answers.map(([, wire]) => wire),
      options,
    );
    // The rows are fetched while the threads work.
    const facts = this.#facts(slugs);
    const [opened, { types, registry }] = await Promise.all([texts, facts]);
    let next = 0;
    return maps.map((map) => {
      const values: Record<string, Value> = Object.create(null);
      for (const slug of types.keys()) values[slug] = UNANSWERED;
      for (const [slug, wire] of Object.entries(map)) {
        values[slug] = this.#value(wire, opened[next++], types.get(slug), registry);
      }
      return values;
    });
  }

  /** The value an event carries, or `undefined` for an event without one. */
  async openEventValue(event: ChangeEvent): Promise<Value | undefined> {
    if (event.value === undefined && event.value_url === undefined) return undefined;
    const { slug, at, content_sha256, ...members } = event;
    const digest = typeof content_sha256 === 'string' ? { content_sha256 } : {};
    const wire: WireValue = { ...members, ...digest, updated_at: at };
    const [[opened], { types, registry }] = await Promise.all([
      this.#openAll([wire]),
      this.#facts(slug === undefined ? [] : [slug]),
    ]);
    return this.#value(wire, opened, slug === undefined ? undefined : types.get(slug), registry);
  }

  /** The text of one wrapper; null when the key does not open it or there is none. */
  async openText(wrapper: string): Promise<string | null> {
    const [opened] = await this.#openAll([{ value: wrapper }]);
    return opened?.text ?? null;
  }

  async #facts(slugs: Iterable<string>) {
    const { reference } = this.#parts;
    const [types, registry] = await Promise.all([reference.types(slugs), reference.registry()]);
    return { types, registry };
  }

  async #openAll(
    wires: WireValue[],
    { decrypt = true, signal }: { decrypt?: boolean | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<(Opened | undefined)[]> {
    const { pool } = this.#parts;
    if (!pool || !decrypt) return [];
    const batch: SealedBatch = { wrappers: [], salts: [], hashes: [] };
    const places: number[] = [];
    for (const [place, wire] of wires.entries()) {
      if (wire.value === undefined || wire.value === null) continue;
      places.push(place);
      // Older platforms sent the wrapper as an object.
      batch.wrappers.push(wrapperText(wire));
      batch.salts.push(wire.verified_salt ?? null);
      batch.hashes.push(wire.verified_hash ?? null);
    }
    const { texts, attested } = await pool.open(batch, signal);
    const opened: (Opened | undefined)[] = new Array(wires.length).fill(undefined);
    for (const [index, place] of places.entries()) {
      opened[place] = { text: texts[index] ?? null, attested: attested[index] ?? false };
    }
    return opened;
  }

  #value(
    wire: WireValue,
    opened: Opened | undefined,
    type: string | undefined,
    registry: FieldTypeRegistry,
  ): Value {
    const expiresAt = wire.verified_expires_at ?? null;
    const now = this.#parts.api.transport.runtime.now();
    const standing = expiresAt === null || Date.parse(expiresAt) > now;
    return {
      value: this.#content(wire, opened, type, registry),
      live: wire.live ?? false,
      updatedAt: wire.updated_at ?? wire.updatedAt ?? null,
      verified: (opened?.attested ?? false) && standing,
      verifiedAt: wire.verified_at ?? null,
      verifiedExpiresAt: expiresAt,
      verifiedMethod: wire.verified_method ?? null,
      verifiedProvider: wire.verified_provider ?? null,
      verificationId: wire.verification_id ?? null,
      unreadable: opened !== undefined && opened.text === null,
    };
  }

  #content(
    wire: WireValue,
    opened: Opened | undefined,
    type: string | undefined,
    registry: FieldTypeRegistry,
  ): Value['value'] {
    if (opened) return opened.text === null ? null : typedValue(opened.text, type, registry);
    if (wire.value !== undefined && wire.value !== null) return new SealedValue(wrapperText(wire));
    const isFile = wire.value_url || wire.expired || (type !== undefined && registry.isBinary(type));
    return isFile ? this.#handle(wire) : null;
  }

  #handle(wire: WireValue): BinaryHandle {
    const { api, key, digestHeader } = this.#parts;
    const path = wire.value_url ?? null;
    const expiredAt = wire.expired_at ?? null;
    const { verified_salt: salt, verified_hash: hash } = wire;
    const attestation = salt !== undefined && hash !== undefined ? { salt, hash } : undefined;
    return new BinaryHandle({ path, expiredAt, contentSha256: wire.content_sha256 ?? null }, (transfer) =>
      openBinary(api, key, { path, expiredAt, attestation }, { digestHeader, ...transfer }),
    );
  }
}

function wrapperText({ value }: WireValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Opened = { text: string | null; attested: boolean };

const UNANSWERED: Value = Object.freeze({
  value: null,
  live: false,
  updatedAt: null,
  verified: false,
  verifiedAt: null,
  verifiedExpiresAt: null,
  verifiedMethod: null,
  verifiedProvider: null,
  verificationId: null,
  unreadable: false,
});
