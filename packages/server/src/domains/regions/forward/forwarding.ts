import type { ErrorKey } from '@symbolon/protocol';
import type { Principal } from '../../../access/principal.ts';
import { beginActing } from '../../../core/deadline.ts';
import type { FederatedList } from '../../../http/federated.ts';
import type { Core } from '../../domain.ts';
import type { CompanyReplicas } from '../companies/company-replicas.ts';
import type { Directory } from '../directory/directory.ts';
import {
  type PeerAnswer,
  type PeerCall,
  type Peers,
  regionUnavailable,
  WAIT_MOST_MS,
} from '../directory/peers.ts';
import type { MessageSender } from '../messages/message-sender.ts';

/** A call that another region answers. */
export interface FederatedCall extends Pick<PeerCall, 'method' | 'path' | 'body' | 'source' | 'headers'> {
  readonly principal: Principal;
}

/** A region that refuses a forwarded call because the company has moved names the company's new home in this header. */
export const HOME_HEADER = 'x-symbolon-home';

/** Comes with a region's part of a list while companies leave it, and for two minutes after the last one has left. */
export const LEAVING_HEADER = 'x-symbolon-leaving';

/** What is left for a call however long it took to get to it. */
const LEAST_MS = 500;
/** For a call that carries a file. */
const UPLOAD_MS = 60_000;

interface Deps extends Pick<Core, 'database' | 'regions'> {
  readonly peers: Pick<Peers, 'call'>;
  readonly directory: Pick<Directory, 'find'>;
  readonly companyReplicas: Pick<CompanyReplicas, 'homeByCode' | 'homesOf'>;
  readonly messageSender: Pick<MessageSender, 'sendAbout'>;
  readonly companiesLeave: () => Promise<boolean>;
}

/**
 * Gets answers from the regions that have them. This region authenticates the caller and applies the rate limits. The other
 * region answers for the same principal, and its answer is returned unchanged.
 */
export class Forwarding {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether companies leave this region, or have just left it. */
  companiesLeave(): Promise<boolean> {
    return this.#deps.companiesLeave();
  }

  /**
   * The home of the company with a code, when that is another region. The company's replica may not have arrived yet, so
   * the directory is asked about an unknown code.
   * @param forwarded whether another region forwarded the call; then the directory is not asked again
   * @throws {PlatformError} region.unavailable
   */
  async elsewhereByCode(typed: string, forwarded: boolean): Promise<string | undefined> {
    const code = typed.trim().toUpperCase();
    if (code === '') return undefined;
    const home = await this.#deps.companyReplicas.homeByCode(code);
    if (home !== undefined || forwarded) return home === this.#deps.regions.own ? undefined : home;
    return this.elsewhereByShareCode(code);
  }

  /** The home of the owner of a share code, when that is another region. @throws {PlatformError} region.unavailable */
  async elsewhereByShareCode(code: string): Promise<string | undefined> {
    const found = await this.#deps.directory.find({ kind: 'share_code', name: code.toUpperCase() });
    return found?.region === this.#deps.regions.own ? undefined : found?.region;
  }

  /**
   * The answer of a company's home. When the company has moved, its new home is asked, once.
   * @throws {PlatformError} region.unavailable
   */
  async atHome(home: string, call: FederatedCall): Promise<PeerAnswer> {
    const deadline = performance.now() + WAIT_MOST_MS;
    const answer = await this.#send(home, call, deadline);
    if (answer.status !== 421) return answer;
    const next = answer.headers[HOME_HEADER];
    if (next === undefined || !this.#deps.regions.others.includes(next)) throw regionUnavailable();
    const second = await this.#send(next, call, deadline);
    if (second.status === 421) throw regionUnavailable();
    return second;
  }

  /**
   * The answer of the region that knows the id that the call is about; undefined when no region knows it.
   * @param missing the error of a region that does not know the id
   * @throws {PlatformError} region.unavailable when a region does not answer and no other knows the id
   */
  async findAnswer(missing: ErrorKey, call: FederatedCall): Promise<PeerAnswer | undefined> {
    const undecided: PeerAnswer[] = [];
    let unreachable = false;
    const asked = this.#deps.regions.others.map(async (region) => {
      const answer = await this.#send(region, call).catch((error: unknown) => {
        unreachable = true;
        throw error;
      });
      if (isUndecided(answer)) undecided.push(answer);
      else if (errorKeyOf(answer) !== missing) return answer;
      throw new Error('The region does not know the id.');
    });
    try {
      // At most one region knows the id.
      return await Promise.any(asked);
    } catch (error) {
      if (!(error instanceof AggregateError)) throw error;
    }
    // A region that refused the call for now may know the id.
    const [refused] = undecided;
    if (refused === undefined && unreachable) throw regionUnavailable();
    return refused;
  }

  /**
   * The parts of a list in all regions, merged in the list's order. The own part is read before the others are asked and once
   * more after they answered, so that an item of a company that moves meanwhile, there or here, is not missed. Of a company that is at home here, another region
   * may still list what has ended here: it has not learned yet that the company has left.
   * @throws {PlatformError} region.unavailable when a region does not answer: the list is never incomplete
   */
  async joined(
    list: FederatedList,
    own: () => Promise<unknown>,
    call: FederatedCall,
  ): Promise<Record<string, unknown>> {
    const json = { ...call, headers: { ...call.headers, accept: 'application/json' } };
    // Read to its end before anybody is asked: a company that leaves later is in it, one that has left is there already.
    const before = await own();
    const answers = await this.#parts(json);
    // A company that moves between two others may be in neither part: not there yet when the one answered, gone when the other
    // did. Whoever is asked once more now has it.
    if (answers.length > 1 && answers.some(({ headers }) => headers[LEAVING_HEADER] !== undefined))
      answers.push(...(await this.#parts(json)));
    const others = answers.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown);
    const order = list.order as (item: unknown) => string;
    const companyOf = list.company as (item: unknown) => string;
    const itemsOf = (part: unknown) => (part as Record<string, unknown[]>)[list.member] ?? [];
    const elsewhere = others.flatMap(itemsOf);
    // Before the own part is read again: what is at home here by then is in that part.
    const homes = await this.#deps.companyReplicas.homesOf(
      this.#deps.database.reader,
      elsewhere.map(companyOf),
    );
    const ofOthers = elsewhere.filter((item) => homes.get(companyOf(item)) !== this.#deps.regions.own);
    const items = new Map<string, unknown>();
    // While a company moves, two regions may list it for a moment.
    for (const item of [...itemsOf(before), ...ofOthers, ...itemsOf(await own())])
      items.set(order(item), item);
    const sorted = [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
    return { ...(before as Record<string, unknown>), [list.member]: sorted };
  }

  /** The part of every other region. @throws {PlatformError} region.unavailable */
  #parts(call: FederatedCall): Promise<PeerAnswer[]> {
    return Promise.all(
      this.#deps.regions.others.map(async (region) => {
        const answer = await this.#send(region, call);
        if (answer.status === 200) return answer;
        const cause = new Error(
          `${region} answered ${answer.status}: ${answer.bytes.toString().slice(0, 500)}`,
        );
        throw regionUnavailable(cause, answer.headers['retry-after']);
      }),
    );
  }

  /** @param deadline until when a caller waits for other regions in all, of `performance.now()` */
  async #send(
    region: string,
    { principal, ...call }: FederatedCall,
    deadline = performance.now() + WAIT_MOST_MS,
  ): Promise<PeerAnswer> {
    const subject = subjectOf(principal);
    // The other region must know a caller who has just registered, or a field that was just made.
    if (call.method !== 'GET' && subject !== undefined) {
      await this.#deps.messageSender.sendAbout(region, subject, deadline);
    }
    // Without an answer it is unknown whether it was carried out there.
    if (call.method !== 'GET') beginActing();
    const patience = Math.max(LEAST_MS, deadline - performance.now());
    const timeoutMs = call.source === undefined ? patience : UPLOAD_MS;
    return this.#deps.peers.call({ region }, { ...call, actingFor: principal, timeoutMs });
  }
}

/** The person or company that calls. */
function subjectOf(principal: Principal): string | undefined {
  if ('personId' in principal) return principal.personId;
  return 'companyId' in principal ? principal.companyId : undefined;
}

/** Whether a region refused the call without looking for the id. */
function isUndecided({ status }: PeerAnswer): boolean {
  return status >= 500 || status === 429 || status === 421;
}

function errorKeyOf({ status, bytes }: PeerAnswer): unknown {
  if (status !== 404) return undefined;
  try {
    return (JSON.parse(bytes.toString()) as { error_key?: unknown }).error_key;
  } catch {
    return undefined;
  }
}
