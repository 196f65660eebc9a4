import { serialize } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Directory, Home, Name, Owner } from './directory.ts';
import {
  changeRegion,
  confirmName,
  countNamesOf,
  deleteNames,
  deleteOwner,
  homeOfName,
  insertName,
  insertOwner,
  nameRow,
  openClaims,
  ownerRegion,
} from './directory-store.ts';

/** A claim that was not confirmed for 5 minutes is checked. */
const CLAIM_MS = 5 * 60_000;
const CLAIMS_AT_ONCE = 200;

type Deps = Pick<Core, 'clock' | 'database' | 'regions'>;

/** The directory at the front door, which keeps it. */
export class DirectoryService implements Directory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param region that claims; this one when missing */
  async claim(owner: Owner, names: readonly Name[], region = this.#deps.regions.own): Promise<Name[]> {
    const at = this.#deps.clock.now();
    const taken: Name[] = [];
    try {
      await this.#deps.database.write(async (writer) => {
        taken.length = 0;
        await insertOwner(writer, owner, { region, at });
        for (const name of names) {
          const held = await nameRow(writer, name);
          if (held === undefined && (await insertName(writer, name, { owner, at }))) continue;
          const row = held ?? (await nameRow(writer, name));
          if (row?.owner_kind !== owner.kind || row.owner_id !== owner.id) taken.push(name);
        }
        if (taken.length > 0) throw new Taken();
      });
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
    }
    return taken;
  }

  async confirm(owner: Owner, names: readonly Name[]): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      for (const name of names) await confirmName(writer, owner, name);
    });
  }

  async release(owner: Owner, names?: readonly Name[]): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      if (names === undefined) {
        await deleteNames(writer, owner);
        await deleteOwner(writer, owner);
      } else {
        for (const name of names) await deleteNames(writer, owner, name);
      }
    });
  }

  find(name: Name): Promise<Home | undefined> {
    return homeOfName(this.#deps.database.reader, name);
  }

  homeOf(owner: Owner): Promise<string | undefined> {
    return ownerRegion(this.#deps.database.reader, owner);
  }

  async move(companyId: string, change: { from: string; to: string }): Promise<string | undefined> {
    const owner: Owner = { kind: 'company', id: companyId };
    return this.#deps.database.write(async (writer) => {
      await serialize(this.#deps.database.engine, writer, [companyId]);
      await changeRegion(writer, owner, { ...change, at: this.#deps.clock.now() });
      return ownerRegion(writer, owner);
    });
  }

  /**
   * Settles the claims without a confirmation: names in use are confirmed, the others released.
   * @param held asks a region which of the names the owner uses; throws while the region does not answer
   */
  async settleClaims(
    held: (region: string, owner: Owner, names: readonly Name[]) => Promise<readonly Name[]>,
  ): Promise<void> {
    const rows = await openClaims(
      this.#deps.database.reader,
      this.#deps.clock.now() - CLAIM_MS,
      CLAIMS_AT_ONCE,
    );
    const byOwner = Map.groupBy(rows, (row) => `${row.owner_kind} ${row.owner_id}`);
    for (const [first, ...more] of byOwner.values()) {
      if (first === undefined) continue;
      const owner: Owner = { kind: first.owner_kind, id: first.owner_id };
      const names = [first, ...more].map(({ kind, name }): Name => ({ kind, name }));
      const region = await this.homeOf(owner);
      const inUse = region === undefined ? [] : await held(region, owner, names);
      const isInUse = (name: Name) =>
        inUse.some((other) => other.kind === name.kind && other.name === name.name);
      await this.confirm(owner, names.filter(isInUse));
      await this.#deps.database.write(async (writer) => {
        for (const name of names) if (!isInUse(name)) await deleteNames(writer, owner, name);
        if ((await countNamesOf(writer, owner)) === 0) await deleteOwner(writer, owner);
      });
    }
  }
}

/** Rolls the claim back: a name has another owner. */
class Taken extends Error {}
