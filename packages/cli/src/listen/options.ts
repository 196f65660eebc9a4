import { existsSync } from 'node:fs';
import type { DataClient } from '@symbolon/sdk';
import { openClient } from '../data/open-client.ts';
import { Problem } from '../problem.ts';
import { findProfile } from '../profile/profile.ts';

export type ListenOptions = {
  forwardTo?: string;
  service?: string;
  events?: string[];
  format: 'json' | 'xml';
  config?: string;
  skipVerify?: boolean;
  printSecret?: boolean;
  pollFeed?: boolean;
  profile?: string;
  json?: boolean;
};

/** Who opens values: the client that is named, or the profile's; none otherwise. */
export function openerOf(options: ListenOptions): DataClient | undefined {
  const { env } = process;
  if (options.config !== undefined) return openClient(options.config);
  if (env.SYMBOLON_CONFIG || env.SYMBOLON_CLIENT_ID) return openClient(undefined);
  const file = profileConfig(options.profile);
  return file !== undefined && existsSync(file) ? openClient(file) : undefined;
}

function profileConfig(profile: string | undefined): string | undefined {
  try {
    return findProfile(profile).profile.config_file;
  } catch (error) {
    // Polling the feed needs no portal.
    if (profile === undefined && error instanceof Problem) return undefined;
    throw error;
  }
}
