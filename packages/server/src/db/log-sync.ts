import { closeSync, fdatasync, openSync } from 'node:fs';

/** What was committed may be lost with the power: the log could not be brought to the disk, and cannot be read back to find out. */
export class LogLost extends Error {
  /** As of a disk that fails, whatever the system called it. */
  readonly code = 'EIO';

  constructor(cause: unknown) {
    super(
      'The log of the database cannot be brought to the disk. Look at the disk, and start the platform again.',
      { cause },
    );
  }
}

/**
 * Brings the write-ahead log of a SQLite database to the disk, in a thread of Node's pool: while a slow disk works, reads and
 * everything else is answered.
 */
export class LogSync {
  readonly #path: string;
  #file: number | undefined;

  /** @param path of the database; its log is there from the first commit to the close of its last connection */
  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** What was committed is durable when it resolves. @throws {LogLost} */
  async sync(): Promise<void> {
    try {
      this.#file ??= openSync(this.#path, 'r');
      await synced(this.#file);
    } catch (error) {
      throw new LogLost(error);
    }
  }

  stop(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

const synced = (file: number) =>
  new Promise<void>((resolve, reject) =>
    fdatasync(file, (error) => (error === null ? resolve() : reject(error))),
  );
