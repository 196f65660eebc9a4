import { isIP } from 'node:net';
import { ConfigError } from './config-error.ts';
import { readReadyChecks } from './probes.ts';
import type { variablesOf } from './read-variables.ts';

/** Where a process answers probes and shows its metrics. */
export interface ManagementAddress {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

export interface ManagementConfig {
  /** Undefined: nothing listens. */
  readonly address: ManagementAddress | undefined;
  /** One that is taken stops the start, unless it is the usual one. */
  readonly isUsual: boolean;
  /** The checks without which the process is not ready. */
  readonly readyChecks: ReadonlySet<string>;
  /** How long a process that is asked to stop goes on serving, and says that it is not ready. */
  readonly drainMs: number;
}

export const DEFAULT_MANAGEMENT_ADDRESS = '127.0.0.1:9464';

/** @throws {ConfigError} */
export function readManagement({ text, whole }: ReturnType<typeof variablesOf>): ManagementConfig {
  const address = text('SYMBOLON_MANAGEMENT_ADDRESS');
  return {
    address: readManagementAddress(address),
    isUsual: address === DEFAULT_MANAGEMENT_ADDRESS,
    readyChecks: readReadyChecks(text('SYMBOLON_READY_CHECKS')),
    drainMs: whole('SYMBOLON_DRAIN_SECONDS', 300) * 1000,
  };
}

/** @throws {ConfigError} */
export function readManagementAddress(text: string): ManagementAddress | undefined {
  if (text === 'off') return undefined;
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535 || (bracketed !== undefined && isIP(bracketed) !== 6)) {
    throw new ConfigError(
      `SYMBOLON_MANAGEMENT_ADDRESS takes <host>:<port>, such as ${DEFAULT_MANAGEMENT_ADDRESS} or [::1]:9464, or off; not "${text}".`,
    );
  }
  return { host, port: Number(port) };
}

/** What a process of the same machine or container calls, where it listens on all addresses. */
export function managementBase({ host, port }: ManagementAddress): string {
  const called = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`;
}
