import { WorkThread } from '../../../core/work-thread.ts';
import { type DefinitionWork, definitionWork } from './definition-work.ts';

/** Work on a shorter definition is done at once: it takes a few milliseconds. */
const LARGE = 64 * 1024;

type InputOf<Work extends keyof DefinitionWork> = Parameters<DefinitionWork[Work]>[0];
const sizeOf = (input: { readonly text: string } | { readonly bytes: Uint8Array }): number =>
  'text' in input ? input.text.length : input.bytes.length;

type ResultOf<Work extends keyof DefinitionWork> = ReturnType<DefinitionWork[Work]>;

/** Works on definitions without holding the thread: a large one is read, checked and written in a thread of its own. */
export class LargeDefinitions {
  readonly #thread = new WorkThread<DefinitionWork>(new URL('./definition-thread.ts', import.meta.url));

  /** How often the thread was given work. */
  get handedOver(): number {
    return this.#thread.handedOver;
  }

  /** @throws {PlatformError} rate_limit.exceeded; {CallerGone} while it waits */
  async do<Work extends keyof DefinitionWork>(work: Work, input: InputOf<Work>): Promise<ResultOf<Work>> {
    if (sizeOf(input) < LARGE) return definitionWork[work](input as never) as ResultOf<Work>;
    return this.#thread.do(work, input);
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
