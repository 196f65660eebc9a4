import type { PersonConnection } from '@symbolon/protocol';
import { Event } from '@symbolon/protocol/constants';
import type { Sandbox } from './sandbox.ts';

/** Connects the sandbox person unless it is connected. @returns the connection, and the events that this raised */
export async function connected(sandbox: Sandbox): Promise<{ connection: PersonConnection; also: string[] }> {
  const present = await sandbox.connection();
  if (present !== undefined) return { connection: present, also: [] };
  return { connection: await sandbox.connect(), also: [Event.connectionCreated] };
}

/** Ends the connection of the sandbox person, if there is one. @returns the events that this raised */
export async function left(sandbox: Sandbox): Promise<string[]> {
  const present = await sandbox.connection();
  if (present === undefined) return [];
  await sandbox.client.disconnect(present.connection_id);
  return [Event.connectionDeleted];
}
