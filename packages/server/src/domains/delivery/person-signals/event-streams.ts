import { Readable } from 'node:stream';
import { limits, type StreamEnding } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { PersonSignal } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';

const BEAT_MS = limits.eventStreamBeatSeconds * 1000;
/** What a client that reads nothing may leave unread, in bytes. */
const UNREAD_MOST = 64 * 1024;
/** Between these two a client waits before it connects again, so that those of a process that stops do not come at once. */
const RETRY_MS = { least: 1_000, most: 6_000 };
const RETRY_AFTER = '20';

type Deps = Pick<Core, 'timers' | 'log'>;

interface Stream {
  readonly personId: string;
  readonly body: Readable;
  /** Throws once the token or the session has ended. */
  readonly identify: () => Promise<unknown>;
  stopBeat: () => void;
}

/** The open event streams of this process: what the devices of people listen to (WHATWG HTML, server-sent events). */
export class EventStreams {
  readonly #deps: Deps;
  readonly #most: number;
  /** By person, the oldest first. */
  readonly #streams = new Map<string, Set<Stream>>();
  #open = 0;

  /** @param most streams in all; 0: no limit */
  constructor(deps: Deps, most: number) {
    this.#deps = deps;
    this.#most = most;
  }

  /** How many are open. */
  get size(): number {
    return this.#open;
  }

  /**
   * Opens a stream. A person's oldest one makes room when there are too many.
   * @param identify asked with every beat; throws once the token or the session has ended
   * @throws {PlatformError} platform.busy
   */
  open(personId: string, identify: () => Promise<unknown>): Readable {
    const own = this.#streams.get(personId) ?? new Set();
    const [oldest] = own;
    if (oldest !== undefined && own.size >= limits.eventStreamsMost) this.#end(oldest, 'too_many_streams');
    if (this.#most > 0 && this.#open >= this.#most)
      throw new PlatformError('platform.busy', { headers: { 'retry-after': RETRY_AFTER } });
    const stream: Stream = { personId, body: new Readable({ read() {} }), identify, stopBeat: () => {} };
    this.#streams.set(personId, own.add(stream));
    this.#open++;
    stream.body.once('close', () => this.#forget(stream));
    const retry = RETRY_MS.least + Math.floor(Math.random() * (RETRY_MS.most - RETRY_MS.least));
    this.#write(stream, `retry: ${retry}\n\n`);
    this.#beatLater(stream);
    return stream.body;
  }

  /** Tells the streams of a person. */
  tell(personId: string, { kind, id }: PersonSignal): void {
    for (const stream of this.#streams.get(personId) ?? []) {
      this.#write(stream, eventOf(kind, { id }));
      if (kind === 'session_changed') void this.#check(stream);
    }
  }

  /** Ends all of them: the process stops. */
  stop(): void {
    for (const streams of this.#streams.values()) for (const stream of streams) this.#end(stream, 'stopping');
  }

  #beatLater(stream: Stream): void {
    stream.stopBeat = this.#deps.timers.after(BEAT_MS, () => {
      // A comment: proxies close what is quiet, and a connection that is gone shows when it is written to.
      this.#write(stream, ':\n\n');
      if (stream.body.destroyed) return;
      this.#beatLater(stream);
      void this.#check(stream);
    });
  }

  /** A stream outlives neither the token nor the session with which it was opened. */
  async #check(stream: Stream): Promise<void> {
    try {
      await stream.identify();
    } catch (error) {
      const isRefused = error instanceof PlatformError && error.status < 500 && error.status !== 429;
      if (isRefused) this.#end(stream, 'session_ended');
      // While the database is away nothing is known about the session; the next beat asks again.
      else this.#deps.log.debug({ err: error }, 'the session of an event stream could not be checked');
    }
  }

  #write({ body }: Stream, text: string): void {
    if (body.destroyed || body.readableEnded) return;
    if (body.readableLength + text.length > UNREAD_MOST) body.destroy();
    else body.push(text);
  }

  #end(stream: Stream, reason: StreamEnding): void {
    if (!this.#forget(stream)) return;
    this.#write(stream, eventOf('stream_closed', { reason }));
    if (!stream.body.destroyed) stream.body.push(null);
  }

  /** Whether it was still open. */
  #forget(stream: Stream): boolean {
    const own = this.#streams.get(stream.personId);
    if (own?.delete(stream) !== true) return false;
    stream.stopBeat();
    this.#open--;
    if (own.size === 0) this.#streams.delete(stream.personId);
    return true;
  }
}

/** @param name without white space @param data on one line, which JSON is */
function eventOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
