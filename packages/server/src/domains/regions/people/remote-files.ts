import { PlatformError } from '../../../core/errors.ts';
import { type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { Turns } from '../../../core/turns.ts';
import type { Writer } from '../../../db/database.ts';
import { companyHomes } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import { dropUploads } from '../../people/index.ts';
import type { Plan } from '../../sharing/index.ts';
import { type Peers, regionUnavailable } from '../directory/peers.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import type { RemoteCopy } from './replica-messages.ts';
import { personHome } from './store.ts';

/** From the region that has fetched files to the home of whose they are. */
const FilesMessage = { taken: 'files_taken' } as const;

export interface FilesTaken {
  readonly uploads: readonly string[];
}

/** Describes the file whose bytes an answer has. */
export const FILE_HEADER = 'x-symbolon-file';

export interface SentFile {
  readonly file: StoredFile;
  /** Of the field; 0 of an upload. */
  readonly version: number;
}

/** Files of a customer of another region whose bytes are here now. */
export interface FetchedFiles {
  readonly uploads: ReadonlyMap<string, StoredFile>;
  readonly ofFields: ReadonlyMap<string, SentFile>;
}

export const NO_FILES: FetchedFiles = { uploads: new Map(), ofFields: new Map() };

/** A large file over a slow line. */
const FILE_MS = 60_000;

interface Deps extends Pick<Core, 'database'> {
  readonly blobs: Blobs;
  readonly messages: MessageQueue;
  readonly peers: Peers;
}

/**
 * Files of people and companies of other regions. Their home keeps an upload until the region of the company that it is for says that it has
 * the bytes: what is lost on the way is fetched again.
 */
export class RemoteFiles {
  readonly #deps: Deps;
  /** Each file is in memory while it is fetched. */
  readonly #fetching = new Turns({ atOnce: 2, waitingMost: 64 });

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.messages.handle(FilesMessage.taken, (writer, { subject, body }) =>
      dropUploads(writer, subject, (body as FilesTaken).uploads),
    );
  }

  /**
   * Fetches the files that an act names. One that the home does not have is missing.
   * @throws {PlatformError} region.unavailable, platform.busy
   */
  async fetch(
    home: string,
    ownerId: string,
    { uploads, fileFields }: Pick<Plan, 'uploads' | 'fileFields'>,
  ): Promise<FetchedFiles> {
    const found: FetchedFiles & { uploads: Map<string, StoredFile>; ofFields: Map<string, SentFile> } = {
      uploads: new Map(),
      ofFields: new Map(),
    };
    for (const id of new Set(uploads)) {
      const sent = await this.#ask(home, uploadPath(ownerId, id));
      if (sent !== undefined) found.uploads.set(id, sent.file);
    }
    for (const id of new Set(fileFields)) {
      const sent = await this.#ask(home, fieldPath(ownerId, id));
      if (sent !== undefined) found.ofFields.set(id, sent);
    }
    return found;
  }

  /** In the transaction that names fetched files: they stay here, and the home need not keep the uploads. */
  async take(
    writer: Writer,
    { home, ownerId }: { home: string; ownerId: string },
    files: FetchedFiles = NO_FILES,
  ): Promise<void> {
    for (const { hash } of [
      ...files.uploads.values(),
      ...[...files.ofFields.values()].map(({ file }) => file),
    ])
      await this.#deps.blobs.holdOn(writer, hash);
    if (files.uploads.size > 0) await this.#tellTaken(writer, home, ownerId, [...files.uploads.keys()]);
  }

  /**
   * Fetches the files among the copies for companies of this region, before the copies are applied. Gives the copies without
   * those whose file is gone at home: a newer value of the field is on its way then.
   * @throws {PlatformError} region.unavailable, platform.busy
   */
  async prepare<Copy extends RemoteCopy>(
    field: { personId: string; fieldId: string },
    copies: readonly Copy[],
  ): Promise<Copy[]> {
    if (!copies.some(({ value }) => storedFile(value) !== undefined)) return [...copies];
    const { engine, reader } = this.#deps.database;
    const [person] = await personHome(reader, field.personId);
    const home = person?.region ?? null;
    const companies = await companyHomes(
      engine,
      reader,
      copies.map(({ company_id }) => company_id),
    );
    const ready: Copy[] = [];
    for (const copy of copies) {
      const file = storedFile(copy.value);
      const isForHere = companies.get(copy.company_id) === null;
      if (file === undefined || home === null || !isForHere || (await this.#has(file, home, field)))
        ready.push(copy);
    }
    return ready;
  }

  /** In the transaction that applies copies: the home need not keep their files. */
  async applied(writer: Writer, personId: string, copies: readonly RemoteCopy[]): Promise<void> {
    const files = copies.flatMap(({ value }) => storedFile(value) ?? []);
    if (files.length === 0) return;
    const [person] = await personHome(writer, personId);
    const ids = files.filter(({ form }) => form === 'sealed').map(({ id }) => id);
    // The company may have moved to where the person is: the blobs are here.
    if (person === undefined || person.region === null) return dropUploads(writer, personId, ids);
    for (const { hash } of files) await this.#deps.blobs.holdOn(writer, hash);
    if (ids.length > 0) await this.#tellTaken(writer, person.region, personId, ids);
  }

  async #has(
    file: StoredFile,
    home: string,
    { personId, fieldId }: { personId: string; fieldId: string },
  ): Promise<boolean> {
    const path = file.form === 'sealed' ? uploadPath(personId, file.id) : fieldPath(personId, fieldId);
    return (await this.#ask(home, path))?.file.hash === file.hash;
  }

  #tellTaken(writer: Writer, home: string, ownerId: string, uploads: readonly string[]): Promise<void> {
    const body: FilesTaken = { uploads };
    return this.#deps.messages.send(writer, home, { kind: FilesMessage.taken, subject: ownerId, body });
  }

  /** Gets a file and keeps its bytes for as long as it takes to name them; undefined when the home does not have it. */
  #ask(home: string, path: string): Promise<SentFile | undefined> {
    return this.#fetching.run(async () => {
      const answer = await this.#deps.peers.call(
        { region: home },
        { method: 'GET', path, timeoutMs: FILE_MS },
      );
      if (answer.status === 404) return undefined;
      if (answer.status !== 200)
        throw regionUnavailable(new Error(`GET ${path} was answered ${answer.status}`));
      const sent = JSON.parse(
        Buffer.from(answer.headers[FILE_HEADER] ?? '', 'base64url').toString(),
      ) as SentFile;
      if ((await this.#deps.blobs.keep(answer.bytes)) !== sent.file.hash)
        throw regionUnavailable(new Error(`The file of ${path} arrived damaged.`));
      return sent;
    });
  }
}

const uploadPath = (personId: string, id: string) =>
  `/internal/people/${encodeURIComponent(personId)}/uploads/${encodeURIComponent(id)}`;
const fieldPath = (personId: string, id: string) =>
  `/internal/people/${encodeURIComponent(personId)}/fields/${encodeURIComponent(id)}/file`;

/** What a region asks for that its person does not have. */
export const noSuchFile = () => new PlatformError('request.not_found');
