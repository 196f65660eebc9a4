/** The cookie of a browser in which a person is signed in. */
export const PERSON_COOKIE = 'symbolon_person';
/** The cookies of a browser that is signed in to the portal. */
export const SESSION_COOKIE = 'symbolon_session';
export const DEVICE_COOKIE = 'symbolon_device';
/** Carries the anti-forgery token. */
export const ANTI_FORGERY_HEADER = 'x-csrf-token';

/** Reads and makes cookies of the platform. */
export class Cookies {
  readonly #secure: () => boolean;

  /** @param secure whether browsers reach the platform by https */
  constructor(secure: () => boolean) {
    this.#secure = secure;
  }

  /** The value of a cookie in a Cookie header; the first one, where a name comes twice. */
  read(header: string | undefined, name: string): string | undefined {
    if (header === undefined) return undefined;
    const start = `${this.#name(name)}=`;
    const pair = header
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(start));
    return pair?.slice(start.length);
  }

  /** The Set-Cookie header of a value that scripts cannot read. @param value base64url text */
  set(name: string, value: string, maxAgeMs: number): string {
    const secure = this.#secure() ? '; Secure' : '';
    const maxAge = Math.max(0, Math.floor(maxAgeMs / 1000));
    return `${this.#name(name)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** The Set-Cookie header that takes a cookie away. */
  clear(name: string): string {
    return this.set(name, '', 0);
  }

  /** The prefix has the browser refuse such a cookie from another host or over plain HTTP (RFC 6265bis 4.1.3.2). */
  #name(name: string): string {
    return this.#secure() ? `__Host-${name}` : name;
  }
}
