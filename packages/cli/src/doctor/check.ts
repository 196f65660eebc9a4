/** What a check found. */
export type Finding =
  | { status: 'ok'; detail: string }
  | { status: 'failed'; detail: string; todo: string }
  | { status: 'skipped'; detail: string };

export type Check = { name: string; run: () => Promise<Finding> };

export const ok = (detail: string): Finding => ({ status: 'ok', detail });
export const failed = (detail: string, todo: string): Finding => ({ status: 'failed', detail, todo });
export const skipped = (detail: string): Finding => ({ status: 'skipped', detail });
