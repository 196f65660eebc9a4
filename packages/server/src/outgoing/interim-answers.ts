const CR = 0x0d;
const LF = 0x0a;
const ZERO = 0x30;
const ONE = 0x31;
/** Where the status stands in `HTTP/1.1 100`. */
const STATUS_AT = 9;
const STATUS_END = STATUS_AT + 3;

/**
 * Lets undici read an unasked `100 Continue`, which a client must be able to (RFC 9110 15.2) and undici refuses: it becomes
 * a 103, which says as little and which undici passes over. Pieces of an answer may end anywhere.
 */
export class InterimAnswers {
  /** Bytes of the present head; undefined in what follows the head of the final answer. */
  #at: number | undefined;
  #status = '';
  /** Whether the line that ends next is empty, which ends the head. */
  #isEmptyLine = false;

  /** An answer begins with the next byte. */
  begin(): void {
    this.#at = 0;
    this.#status = '';
    this.#isEmptyLine = false;
  }

  /** @param piece of an answer, which it changes */
  pass(piece: Uint8Array): void {
    for (let index = 0; index < piece.length && this.#at !== undefined; index++) {
      const code = piece[index] ?? 0;
      if (this.#at >= STATUS_AT && this.#at < STATUS_END) {
        const isContinue = this.#at === STATUS_END - 1 && this.#status === '10' && code === ZERO;
        if (isContinue) piece[index] = ZERO + 3;
        this.#status += String.fromCharCode(code);
      }
      this.#at++;
      if (code === LF && this.#isEmptyLine) this.#endHead();
      else if (code !== CR) this.#isEmptyLine = code === LF;
    }
  }

  #endHead(): void {
    const isInterim = this.#status.charCodeAt(0) === ONE && this.#status !== '101';
    if (isInterim) this.begin();
    else this.#at = undefined;
  }
}
