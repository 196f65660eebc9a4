import type { Reader, Writer } from '../../db/database.ts';
import type { PersonFieldRow, Replication, SlotElsewhere } from '../identity/index.ts';
import type { CompanyCards } from './companies/index.ts';
import type { PersonReplicas, RemoteSlots } from './people/index.ts';

interface Deps {
  readonly cards: CompanyCards;
  readonly replicas: PersonReplicas;
  readonly remoteSlots: RemoteSlots;
}

/** Replication to the other regions, by messages in the transaction of each change. */
export class RegionReplication implements Replication {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  personChanged(writer: Writer, personId: string): Promise<void> {
    return this.#deps.replicas.personChanged(writer, personId);
  }

  awaitPerson(personId: string, epoch: number): Promise<boolean> {
    return this.#deps.replicas.awaitPerson(personId, epoch);
  }

  fieldChanged(
    writer: Writer,
    row: PersonFieldRow,
    copies?: readonly { slot: SlotElsewhere; value: string }[],
  ): Promise<void> {
    return this.#deps.replicas.fieldChanged(writer, row, copies);
  }

  async fieldDeleted(writer: Writer, personId: string, fieldId: string): Promise<void> {
    await this.#deps.remoteSlots.forget(writer, fieldId);
    await this.#deps.replicas.fieldDeleted(writer, personId, fieldId);
  }

  slotsElsewhere(reader: Reader, fieldId: string): Promise<readonly SlotElsewhere[]> {
    return this.#deps.remoteSlots.of(reader, fieldId);
  }

  companyChanged(writer: Writer, companyId: string): Promise<void> {
    return this.#deps.cards.announce(writer, companyId);
  }

  companyDeleted(writer: Writer, companyId: string): Promise<void> {
    return this.#deps.cards.announceGone(writer, companyId);
  }
}
