import { setTimeout as pause } from 'node:timers/promises';
import { createServiceKey } from '@symbolon/crypto';
import type { TestDataClient, TestPlace } from '@symbolon/testkit/actors/actors';
import type { Random } from '@symbolon/testkit/platform/random';
import type { Answer, Call } from '../support/caller.ts';

/** A row that a publish added, with the moments between which it was asked for and taken back. */
export interface PublishedRow {
  readonly slug: string;
  readonly askedSent: number;
  askedKnown: number;
  removedSent: number;
}

/** A service as its company and its customers know it. */
export interface Shop {
  readonly name: string;
  readonly serviceId: string;
  readonly companyCode: string;
  readonly serviceCode: string;
  readonly rowIds: Map<string, string>;
  readonly client: TestDataClient;
  /** Rows beside those of the beginning, in the order of their publishing. */
  readonly added: PublishedRow[];
  /** The deletion was sent. */
  deleted: boolean;
  /** The deletion is known to have happened. */
  gone: boolean;
  /** The key that is in force, when that is known. */
  publicKey: string | undefined;
}

export const shopOf = (
  name: string,
  service: TestPlace & { readonly id: string },
  client: TestDataClient,
): Shop => ({
  name,
  serviceId: service.id,
  companyCode: service.company.code,
  serviceCode: service.code,
  rowIds: new Map(Object.entries(service.rows)),
  client,
  added: [],
  deleted: false,
  gone: false,
  publicKey: undefined,
});

/** Of those rows so many are asked for at a time. */
const ADDED_MOST = 3;

interface PublisherWorld {
  readonly token: string;
  call(call: Call): Promise<Answer>;
  readonly goesOn: () => boolean;
}

/** A login of the portal of a company, which changes the services while they are used. */
export class Publisher {
  readonly #world: PublisherWorld;
  readonly #random: Random;
  readonly counts = { done: 0, refused: 0, doubt: 0 };

  constructor(world: PublisherWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async live(shops: readonly Shop[], goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      await pause(this.#random.whole(200, 700));
      const shop = this.#random.pick(shops);
      if (this.#random.chance(0.8)) await this.publish(shop);
      else await this.replaceKey(shop);
    }
  }

  /** Adds a row, or removes the oldest of those that were added. */
  async publish(shop: Shop): Promise<void> {
    const path = `/api/services/${shop.serviceId}/request-fields`;
    const read = await this.#try({ method: 'GET', path });
    if (read.outcome !== 'done') return;
    this.#learn(shop, read);
    const present = new Set(read.body.request_fields.map((row: { slug: string }) => row.slug));
    const asked = shop.added.filter(({ slug }) => present.has(slug));
    const removes = asked.length >= ADDED_MOST;
    const slug = removes ? (asked[0]?.slug ?? '') : `x${shop.added.length}`;
    const rows = read.body.request_fields
      .filter((row: { slug: string }) => row.slug !== slug)
      .map(({ id: _, ...row }: { id: string }) => row);
    const now = performance.now();
    if (removes && asked[0] !== undefined) asked[0].removedSent = now;
    else {
      rows.push({ slug, label: slug, type: 'text' });
      shop.added.push({
        slug,
        askedSent: now,
        askedKnown: Number.POSITIVE_INFINITY,
        removedSent: Number.POSITIVE_INFINITY,
      });
    }
    const body = { config_token: read.body.config_token, request_fields: rows };
    const answer = await this.#try({ method: 'PUT', path, body });
    this.counts[answer.outcome]++;
    if (answer.outcome === 'done') this.#learn(shop, answer);
    else if (answer.outcome === 'refused' && removes && asked[0] !== undefined) {
      asked[0].removedSent = Number.POSITIVE_INFINITY;
    }
    // What became of one in doubt is found out by the next reading.
  }

  async replaceKey(shop: Shop): Promise<void> {
    const key = await createServiceKey();
    const answer = await this.#try({
      method: 'PUT',
      path: `/api/services/${shop.serviceId}/key`,
      body: { public_key: key.publicKey, encrypted_private_key: key.encryptedPrivateKey },
    });
    this.counts[answer.outcome]++;
    if (answer.outcome === 'done') shop.publicKey = key.publicKey;
    else if (answer.outcome === 'doubt') shop.publicKey = undefined;
  }

  /** Ends a service with all its connections, however often it takes. */
  async remove(shop: Shop): Promise<void> {
    shop.deleted = true;
    const path = `/api/services/${shop.serviceId}?confirm=true`;
    while (this.#world.goesOn()) {
      const { outcome, key } = await this.#try({ method: 'DELETE', path });
      this.counts[outcome]++;
      if (outcome === 'done' || key === 'services.not_found') {
        shop.gone = true;
        return;
      }
    }
  }

  /** The slugs that the service asks for now, and those of its jobs that are not done; undefined: none can be asked. */
  async look(shop: Shop): Promise<{ slugs: string[]; publicKey: string }> {
    const rows = await this.#definitely(`/api/services/${shop.serviceId}/request-fields`);
    this.#learn(shop, rows);
    const service = await this.#definitely(`/api/services/${shop.serviceId}`);
    return {
      slugs: rows.body.request_fields.map((row: { slug: string }) => row.slug),
      publicKey: service.body.public_key,
    };
  }

  /** How many jobs of the service are not done. */
  async openJobs(shop: Shop): Promise<number> {
    const { outcome, body } = await this.#try({
      method: 'GET',
      path: `/api/services/${shop.serviceId}/jobs`,
    });
    if (outcome !== 'done') return 0;
    return body.jobs.filter(({ state }: { state: string }) => state !== 'done').length;
  }

  /**
   * How many events wait for the webhooks of a service. A webhook that is parked is switched off and on, so that it is tried
   * again at once instead of minutes later: also one that became so just now, by a delivery without an answer.
   */
  async backlog(shop: Shop): Promise<number> {
    const path = `/api/services/${shop.serviceId}/webhooks`;
    const { body } = await this.#definitely(path);
    let sum = 0;
    for (const { id, health, backlog } of body.webhooks) {
      sum += backlog;
      if (health !== 'bad') continue;
      for (const enabled of [false, true]) {
        await this.#try({ method: 'PUT', path: `${path}/${id}`, body: { enabled } });
      }
    }
    return sum;
  }

  #learn(shop: Shop, { body }: Answer): void {
    const now = performance.now();
    const present = new Map<string, string>(
      body.request_fields.map((row: { slug: string; id: string }) => [row.slug, row.id]),
    );
    for (const [slug, id] of present) shop.rowIds.set(slug, id);
    for (const row of shop.added) if (present.has(row.slug)) row.askedKnown = Math.min(row.askedKnown, now);
  }

  async #try(call: Call): Promise<Answer> {
    const answer = await this.#world.call({ ...call, token: this.#world.token });
    if (answer.outcome !== 'done') await pause(this.#random.whole(50, 200));
    return answer;
  }

  async #definitely(path: string): Promise<Answer> {
    for (;;) {
      const answer = await this.#try({ method: 'GET', path });
      if (answer.outcome === 'done') return answer;
      if (!this.#world.goesOn()) throw new Error(`The world ended before GET ${path} was answered.`);
    }
  }
}
