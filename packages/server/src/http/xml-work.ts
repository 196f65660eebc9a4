import { contentOf } from './xml.ts';

/** What takes long for a large answer as XML. */
export const xmlWork = {
  /** What stands between the tags of a value. @param json its JSON */
  content: ({ json }: { json: string }): string | undefined => contentOf(JSON.parse(json)),
  /** The same as its bytes, which another thread takes over without a copy. */
  bytes: ({ json }: { json: string }): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(contentOf(JSON.parse(json))),
};

export type XmlWork = typeof xmlWork;
