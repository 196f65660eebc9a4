import { type Postgres, startPostgres } from '@symbolon/testkit/servers/postgres';
import pg from 'pg';
import { dataFolder, Platform } from './platform.ts';
import { sized } from './setting.ts';
import { openSql, type Sql } from './sql.ts';

export type Engine = 'sqlite' | 'postgres';

export const OPERATOR_TOKEN = 'operator-token-of-the-benchmarks-01234567';

/** A separate database, with the platform over it in a separate process. */
export class Stack implements AsyncDisposable {
  readonly engine: Engine;
  readonly #disposables: AsyncDisposableStack;
  readonly #folder: string;
  readonly #postgres: Postgres | undefined;
  readonly #databaseUrl: string;
  #platform: Platform | undefined;

  private constructor(
    engine: Engine,
    disposables: AsyncDisposableStack,
    folder: string,
    postgres: Postgres | undefined,
  ) {
    this.engine = engine;
    this.#disposables = disposables;
    this.#folder = folder;
    this.#postgres = postgres;
    this.#databaseUrl = postgres?.url ?? '';
  }

  static async create(engine: Engine): Promise<Stack> {
    const disposables = new AsyncDisposableStack();
    const folder = disposables.use(await dataFolder());
    let postgres: Postgres | undefined;
    if (engine === 'postgres') {
      postgres = await startPostgres({ durable: true });
      if (postgres === undefined) throw new Error('The programs of PostgreSQL are not on this machine.');
      disposables.defer(() => (postgres as Postgres).stop());
    }
    return new Stack(engine, disposables, folder.path, postgres);
  }

  get dataDir(): string {
    return this.#folder;
  }

  get databaseUrl(): string {
    return this.#databaseUrl;
  }

  get platform(): Platform {
    if (this.#platform === undefined) throw new Error('The platform does not run.');
    return this.#platform;
  }

  /** Starts the platform. @param source the tree it comes from; this one by default. @returns how long it took */
  async start(source?: string): Promise<number> {
    const from = performance.now();
    this.#platform = await this.another(source);
    return performance.now() - from;
  }

  /** One more process over the same database. */
  another(source?: string): Promise<Platform> {
    return Platform.start(
      this.#folder,
      {
        ...(this.#databaseUrl === '' ? {} : { DATABASE_URL: this.#databaseUrl }),
        SYMBOLON_OPERATOR_TOKEN: OPERATOR_TOKEN,
        SYMBOLON_LOG_LEVEL: sized('warn', 'silent'),
        SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
        ...(source === undefined ? {} : { BENCH_SOURCE: source }),
      },
      'scale-platform.ts',
    );
  }

  async stopPlatform(): Promise<void> {
    await this.#platform?.stop();
    this.#platform = undefined;
  }

  sql(): Promise<Sql> {
    return openSql(this.engine, this.engine === 'sqlite' ? this.#folder : this.#databaseUrl);
  }

  /** An empty database of the same engine, as the environment of a command names it. */
  async emptyPlace(): Promise<AsyncDisposable & { environment: Record<string, string> }> {
    const disposables = new AsyncDisposableStack();
    const folder = disposables.use(await dataFolder());
    const environment = { SYMBOLON_DATA_DIR: folder.path, DATABASE_URL: '' };
    if (this.#postgres !== undefined) {
      const client = new pg.Client({ connectionString: this.#postgres.url });
      await client.connect();
      disposables.defer(() => client.end());
      const name = `empty_${Date.now()}`;
      await client.query(`create database ${name}`);
      disposables.defer(async () => void (await client.query(`drop database ${name} with (force)`)));
      const url = new URL(this.#databaseUrl);
      url.pathname = `/${name}`;
      environment.DATABASE_URL = url.href;
    }
    return { environment, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopPlatform();
    await this.#disposables.disposeAsync();
  }
}
