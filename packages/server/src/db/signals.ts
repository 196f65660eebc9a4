/** What a commit tells those who wait for it. */
export type SignalHandler = (payload: string) => void;

/** Who listens to what. */
export class Subscribers {
  readonly #handlers = new Map<string, Set<SignalHandler>>();

  get channels(): string[] {
    return [...this.#handlers.keys()];
  }

  /** The function it gives ends the subscription. */
  add(channel: string, handler: SignalHandler): () => void {
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    return () => {
      handlers.delete(handler);
    };
  }

  tell(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) handler(payload);
  }
}
