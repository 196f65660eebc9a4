import type { Person, WrappedPrivateKey } from '@symbolon/protocol';

/** What `data.json` of an export is. Everything in it stands as the platform answers it: what was sealed to the person still is. */
export type Exported = {
  readonly format: 'symbolon-export';
  readonly version: 1;
  readonly made_at: string;
  readonly origin: string;
  readonly person: Person;
  /** What opens the rest: the private key under a key that is derived from the password. */
  readonly key: {
    readonly version: number;
    readonly salt: string;
    readonly encrypted_private_key: WrappedPrivateKey;
  };
  /** Lists of things, by what they are. */
  readonly records: Readonly<Record<string, readonly unknown[]>>;
  readonly files: readonly ExportedFile[];
  /** What could not be read, and why. */
  readonly missing: readonly { readonly what: string; readonly reason: string }[];
};

export type ExportedFile = {
  /** In the zip. */
  readonly path: string;
  readonly label: string;
  /** Whether it is a wrapper for the person; else it is the file itself. */
  readonly sealed: boolean;
};
