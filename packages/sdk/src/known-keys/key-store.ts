/**
 * Fingerprints (64 hexadecimal digits) of keys by the name of what each key belongs to, such as `person <id>`. In the same list stands
 * whose connections, runs and documents are: `connection <id>` has `person <id>`, a run the names of all its parties;
 * and to which service a code leads: `code <company>/<service>` has `service <id>`.
 */
export type Fingerprints = Readonly<Record<string, string>>;

/**
 * Keeps the fingerprints of the keys that something may be sealed to. Implement it over a database of your own to share them
 * among machines, or for more than some ten thousand people. A store that the operator of the platform can write to protects nothing.
 */
export type KeyStore = {
  /**
   * The fingerprints of those names that have one.
   *
   * @param options.fresh reads them again where they are kept in memory: another process may have changed them
   */
  read: (names: readonly string[], options?: { fresh?: boolean }) => Promise<Fingerprints>;
  /** Keeps the fingerprint of each name that has none. @returns the fingerprints that these names have then */
  remember: (keys: Fingerprints) => Promise<Fingerprints>;
  /** Puts these fingerprints in place of former ones: they were compared. */
  confirm: (keys: Fingerprints) => Promise<void>;
};

/** Keeps fingerprints for as long as the process lives. */
export class MemoryKeyStore implements KeyStore {
  readonly #keys = new Map<string, string>();

  async read(names: readonly string[]): Promise<Fingerprints> {
    return Object.fromEntries(
      names.flatMap((name) => {
        const sha256 = this.#keys.get(name);
        return sha256 === undefined ? [] : [[name, sha256]];
      }),
    );
  }

  async remember(keys: Fingerprints): Promise<Fingerprints> {
    for (const [name, sha256] of Object.entries(keys)) {
      if (!this.#keys.has(name)) this.#keys.set(name, sha256);
    }
    return this.read(Object.keys(keys));
  }

  async confirm(keys: Fingerprints): Promise<void> {
    for (const [name, sha256] of Object.entries(keys)) this.#keys.set(name, sha256);
  }
}
