/** TLS sessions by origin, so that a new connection is cheap for both sides. The longest unused ones are dropped. */
export class TlsSessions {
  readonly #limit: number;
  readonly #sessions = new Map<string, Buffer>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(origin: string): Buffer | undefined {
    const session = this.#sessions.get(origin);
    if (session !== undefined) this.set(origin, session);
    return session;
  }

  set(origin: string, session: Buffer): void {
    this.#sessions.delete(origin);
    this.#sessions.set(origin, session);
    if (this.#sessions.size <= this.#limit) return;
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined) this.#sessions.delete(oldest);
  }
}
