import type { FlowDefinition } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { WrittenJson } from '../../../core/written-json.ts';
import { CheckedBody } from '../../../http/validation.ts';
import type { DefinitionBody, Refused } from './definition-work.ts';
import type { LargeDefinitions } from './large-definitions.ts';
import type { Manifest } from './manifest.ts';

/** Definitions as they are sent, in bodies and in packages: a large one is read in a thread of its own. */
export class SentDefinitions {
  readonly #large: LargeDefinitions;

  constructor(large: LargeDefinitions) {
    this.#large = large;
  }

  /** A body whose definition is `WrittenJson`. @throws {PlatformError} request.malformed, request.too_large */
  async body(bytes: Buffer, body: DefinitionBody): Promise<CheckedBody> {
    const read = accepted(await this.#large.do('read', { bytes, body }));
    if ('issues' in read) return new CheckedBody(read);
    const { members, definition } = read;
    if (definition === undefined) return new CheckedBody({ value: members });
    return new CheckedBody({
      value: { ...members, definition: WrittenJson.of<FlowDefinition>(definition) },
    });
  }

  /** The `flow.json` of a package. @throws {PlatformError} flows.package_invalid */
  async manifest(bytes: Buffer): Promise<Manifest> {
    return accepted(await this.#large.do('unpack', { bytes }));
  }
}

/** @throws {PlatformError} what the reading thread has refused it for */
function accepted<Result extends object>(read: Result | Refused): Result {
  if ('refused' in read) throw new PlatformError(read.refused.key, { text: read.refused.text });
  return read as Result;
}
