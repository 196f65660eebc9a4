import { Worker } from '../../../core/worker.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { QueueRun, WebhookDelivery } from './delivery.ts';
import type { Leases } from './leases.ts';
import type { WebhookPace } from './pace.ts';
import { CONFIGURATION_MARK, INTERRUPT_MARK, WEBHOOK_CHANNEL } from './signals.ts';
import { dueWebhooks } from './store.ts';

const DUE_MOST = 5000;

interface Run extends QueueRun {
  done: Promise<void>;
}

interface Deps extends Pick<Core, 'availability' | 'clock' | 'database' | 'log' | 'timers'> {
  readonly delivery: WebhookDelivery;
  readonly leases: Leases;
  readonly maintenance: Pick<Maintenance, 'workPaused' | 'watch'>;
  /** The name of this instance: the scan includes queues that it has leased itself. */
  readonly owner: string;
  readonly pace: Pick<WebhookPace, 'scanMs'>;
}

/**
 * Keeps every webhook's queue moving: starts a run when a commit adds to a queue, and looks for what is due. Each webhook
 * has at most one run, runs do not wait for one another.
 */
export class WebhookDispatcher {
  readonly #deps: Deps;
  readonly #scans: Worker;
  readonly #runs = new Map<string, Run>();
  #unsubscribe = () => {};
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    const work = () => this.scan();
    this.#scans = new Worker({ ...deps, name: 'look for due webhooks', pauseMs: deps.pace.scanMs, work });
  }

  async start(): Promise<void> {
    this.#deps.maintenance.watch(
      () => this.#pause(),
      () => void this.#resume(),
    );
    await this.#deps.leases.start();
    this.#unsubscribe = await this.#deps.database.subscribe(WEBHOOK_CHANNEL, (signal) => this.#heard(signal));
    this.#scans.start();
  }

  /** Finishes the POSTs in hand; what is left in the queues stays there. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    await this.#scans.stop();
    for (const run of this.#runs.values()) run.stopping = true;
    await Promise.all([...this.#runs.values()].map((run) => run.done));
    await this.#settle();
    await this.#deps.leases.stop();
  }

  /** A queue has grown. */
  wake(webhookId: string): void {
    if (this.#stopped || this.#deps.maintenance.workPaused) return;
    const running = this.#runs.get(webhookId);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const run: Run = { stopping: false, changed: false, again: false, done: Promise.resolve() };
    this.#runs.set(webhookId, run);
    run.done = this.#run(webhookId, run);
  }

  /** Signals name a webhook; a mark behind it says that its configuration is no longer what it was. */
  #heard(signal: string): void {
    if (signal.endsWith(INTERRUPT_MARK)) {
      const interrupted = this.#runs.get(signal.slice(0, -INTERRUPT_MARK.length));
      if (interrupted !== undefined) interrupted.stopping = true;
      return;
    }
    const changed = signal.endsWith(CONFIGURATION_MARK);
    const webhookId = changed ? signal.slice(0, -CONFIGURATION_MARK.length) : signal;
    const running = this.#runs.get(webhookId);
    if (changed && running !== undefined) running.changed = true;
    this.wake(webhookId);
  }

  /** Starts a run of everything that is due now. */
  async scan(): Promise<void> {
    for (const id of await dueWebhooks(
      this.#deps.database.engine,
      this.#deps.database.reader,
      this.#deps.owner,
      this.#deps.clock.now(),
      DUE_MOST,
    )) {
      this.wake(id);
    }
  }

  /** Resolves when nothing runs and the queues hold what is still to be delivered: for tests. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all([...this.#runs.values()].map((run) => run.done));
    await this.#settle();
  }

  /** Every run ends after its current POST. Its answer is saved when saving resumes; the lease is kept until then. */
  #pause(): void {
    for (const run of this.#runs.values()) run.stopping = true;
  }

  async #resume(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.done));
    await this.scan().catch((error: unknown) => this.#failed(error, 'looking for due webhooks failed'));
  }

  async #run(webhookId: string, run: Run): Promise<void> {
    try {
      do {
        run.again = false;
        await this.#deps.delivery.run(webhookId, run);
      } while (run.again && !run.stopping);
    } catch (error) {
      this.#failed(error, 'webhook run failed; the next scan takes it up', { webhook: webhookId });
    } finally {
      this.#runs.delete(webhookId);
    }
  }

  async #settle(): Promise<void> {
    try {
      await this.#deps.delivery.settle();
    } catch (error) {
      this.#failed(error, 'removing delivered webhook events failed');
    }
  }

  /** That the database is away is logged once, not for each webhook and each scan. */
  #failed(error: unknown, text: string, details: { webhook?: string } = {}): void {
    const isExplained = this.#deps.availability.explains(error);
    this.#deps.log[isExplained ? 'debug' : 'error']({ err: error, ...details }, text);
  }
}
