/** Knows which methods an address has, to tell 405 from 404 (RFC 9110 15.5.6). */
export class RouteTable {
  readonly #routes: { pattern: RegExp; methods: string[] }[] = [];

  add(method: string | string[], url: string): void {
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/');
    this.#routes.push({ pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  }

  /** Methods of the routes that match a path, each once. */
  methodsOf(path: string): string[] {
    const methods = this.#routes
      .filter((route) => route.pattern.test(path))
      .flatMap((route) => route.methods);
    return [...new Set(methods)];
  }
}
