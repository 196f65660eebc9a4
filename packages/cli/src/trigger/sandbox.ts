import { SandboxCustomer } from '@symbolon/sdk/sandbox';
import type { Portal } from '../profile/enter-portal.ts';
import type { SandboxPerson } from './sandbox-person.ts';

/** What an act did, beside raising its event. */
export type Done = {
  slug?: string;
  value?: string /** Other events it raised on the way. */;
  also: string[];
};

/** The sandbox person at one service of the company whose portal is open. */
export class Sandbox extends SandboxCustomer {
  readonly portal: Portal;
  /** Of the person: proves that they are present. */
  readonly password: string;

  constructor({ client, password }: SandboxPerson, portal: Portal) {
    super(client, portal.service);
    this.password = password;
    this.portal = portal;
  }
}
