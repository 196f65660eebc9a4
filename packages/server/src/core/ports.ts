/** The names of all ports that some of these objects fill. */
type FilledBy<Fills extends readonly object[]> = KeyOf<Fills[number]>;
type KeyOf<Some> = Some extends unknown ? keyof Some : never;

/**
 * What modules need of others that are made after them. A port is declared by its name and handed out at once; whoever fills
 * it is made later, and everything that is done with a port before that fails with its name.
 *
 * @example const board = new PortBoard<{ bell: Bell }>({ bell: 'hall' });
 * new Door(board.ports.bell); // made first, rings later
 * board.fill([hall.fills]);
 */
export class PortBoard<Ports extends { [Name in keyof Ports]: object }> {
  /** What every port is taken for; each passes on to what fills it. */
  readonly ports: Ports;
  readonly #filled = new Map<string, object>();

  /** @param fillers for each port, the name of the module that fills it */
  constructor(fillers: { readonly [Name in keyof Ports]: string }) {
    this.ports = Object.fromEntries(
      Object.entries(fillers).map(([name, filler]) => [name, this.#port(name, filler as string)]),
    ) as Ports;
  }

  /**
   * Fills all ports, once. A port that is not filled does not compile.
   * @throws {Error} for a port that is filled twice, or not at all, or was not declared
   */
  fill<const Fills extends readonly Partial<Ports>[]>(
    fills: Exclude<keyof Ports, FilledBy<Fills>> extends never
      ? Fills
      : `unfilled port: ${Exclude<keyof Ports, FilledBy<Fills>> & string}`,
  ): void {
    for (const [name, value] of (fills as Fills).flatMap(
      (some) => Object.entries(some) as [string, object][],
    )) {
      if (!(name in this.ports)) throw new Error(`The port ${name} is filled and was not declared.`);
      if (this.#filled.has(name)) throw new Error(`The port ${name} is filled twice.`);
      this.#filled.set(name, value);
    }
    for (const name of Object.keys(this.ports))
      if (!this.#filled.has(name)) throw new Error(`The port ${name} is not filled.`);
  }

  #port(name: string, filler: string): object {
    const filled = () => {
      const value = this.#filled.get(name);
      if (value === undefined)
        throw new Error(`The port ${name} is used before the module ${filler} fills it.`);
      return value;
    };
    const boundTo = new WeakMap<object, object>();
    // A function, since some ports are called themselves.
    return new Proxy(() => {}, {
      apply: (_, self, args) => Reflect.apply(filled() as () => unknown, self, args),
      get(_, key) {
        const value = filled();
        const member = Reflect.get(value, key);
        if (typeof member !== 'function') return member;
        const known = boundTo.get(member);
        if (known !== undefined) return known;
        const bound = member.bind(value);
        boundTo.set(member, bound);
        return bound;
      },
      has: (_, key) => Reflect.has(filled(), key),
    });
  }
}

/** What some modules fill, of those that fill something. */
export function fillsOf<const Modules extends Readonly<Record<string, object>>>(modules: Modules) {
  return Object.values(modules).flatMap((module) => ('fills' in module ? [module.fills] : [])) as FilledIn<
    Modules[keyof Modules]
  >[];
}

type FilledIn<Module> = Module extends { readonly fills: infer Fills extends object } ? Fills : never;
