/*
 * Every limit in seconds of the wall that tests have, each with its reason. All others count work: turns, calls, CPU.
 */

/** Playwright bounds each wait for a page, and a page works in processes whose CPU time is not visible here. */
export const PAGE_MOST_MS = 60_000;
/** The platform's own bound on waiting for a lock is two seconds; the test is about that bound, and gives a busy machine five times as much. */
export const BOUND_MOST_MS = 10_000;

/** What a call to a platform in a test's own process may take: its bound for callers would count how busy the machine is. */
export const CALL_MOST_MS = 120_000;

/*
 * Chaos: what people feel while something is broken is a time, so its limits are times. A short round on a busy machine holds the wide ones;
 * `npm run chaos` reports the bars.
 */

/** Every answer comes within this time, also while something that is needed is away: the platform promises it. */
export const ANSWER_MOST_MS = 10_000;
/** Then a client gives up. */
export const CLIENT_PATIENCE_MS = 20_000;
/** How long a look at the health waits. */
export const HEALTH_PATIENCE_MS = 5_000;
/** The longest wait for a platform to recover. */
export const RECOVERY_MOST_MS = 60_000;
/** The bar, after PostgreSQL, or whatever was away, is back. */
export const RECOVERY_BAR_MS = 5_000;
/** The bar, after the server of PostgreSQL that led is lost and another one leads. */
export const FAILOVER_BAR_MS = 30_000;
/** What a busy machine is given where the bar is five seconds. */
export const SHORT_ROUND_RECOVERY_MS = 15_000;
/** A process may take so long to learn that nothing can be saved. */
export const NOTICED_MS = 5_000;
/** After a frozen process goes on, its transactions are ended, and what waited for them goes on. */
export const ENDED_MS = 8_000;
/** A start is tried again and again beside faults; one that takes longer is killed. */
export const START_MOST_MS = 40_000;
/** The platform promises to end within half a minute. */
export const STOP_MOST_MS = 30_000;
/** A move of a company is waited for so long, and less in a short round. */
export const MOVE_MOST_MS = 30_000;
/** Until all queues are empty after the last fault. */
export const SETTLE_MOST_MS = 90_000;
/** Until what one region sent to the other has arrived. */
export const ARRIVAL_MOST_MS = 60_000;
/** A company that moves writes nothing for so long at most. */
export const PAUSE_MOST_MS = 30_000;
/** Short rounds that have not begun by then are left out, and named: a slow machine sees fewer faults, and one at least. */
export const ROUNDS_BUDGET_MS = 80_000;

/*
 * Faults, and companies that move: what must not be waited for without end, and what a model of deliveries may not know for certain.
 */

/** Longer than any answer takes unless its process is gone or frozen: then whoever asked asks another one. */
export const FAULTY_CALL_MOST_MS = 15_000;
/** A process that is killed again and again serves for so long at most before that: a kill must meet work in hand. */
export const SERVES_MOST_MS = 2_000;
/** What a round with kills gets on top: a process of a busy machine takes long to start, and some kills must happen. */
export const KILLS_EXTRA_MS = 10_000;
/** Answers of receivers are written down in groups, within milliseconds; those that came so shortly before a break may come again. */
export const WRITTEN_DOWN_MS = 3_000;
/** A drain by silence is confirmed after some seconds: until then a death gives its rows back. */
export const SILENCE_MS = 8_000;
/** For a hang alone: what takes long while companies move is bounded by how often it is looked at. */
export const HANG_MS = 1_200_000;
