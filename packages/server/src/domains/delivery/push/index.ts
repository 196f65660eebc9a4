import { DnsResolver } from '../../../outgoing/resolver.ts';
import { OutgoingSender } from '../../../outgoing/sender.ts';
import type { Core, Domain } from '../../domain.ts';
import type { DevicesSignals } from '../person-signals/person-signals.ts';
import type { OutgoingNetwork } from '../webhooks/index.ts';
import { Devices } from './devices.ts';
import { PushSender } from './push-sender.ts';
import { deviceRoutes } from './routes.ts';
import { pushTables } from './tables.ts';
import { Vapid } from './vapid.ts';

const SEND_MOST_MS = 5_000;

/** Push messages to people's browsers; none are sent without a subject to name to the push services. */
export function createPush(
  core: Core,
  needs: { personSignals: DevicesSignals; outgoing?: OutgoingNetwork | undefined },
) {
  const { pushSubject: subject, dangerouslyAllowLoopbackWebhooks: allowLoopback, dnsServers } = core.config;
  const vapid = subject === undefined ? undefined : new Vapid(core);
  const devices = new Devices({ ...core, vapid, allowLoopback });
  const pushes =
    subject === undefined || vapid === undefined
      ? undefined
      : new PushSender({
          ...core,
          vapid,
          subject,
          sender: new OutgoingSender({
            ...core,
            ...needs.outgoing,
            resolver: new DnsResolver({ ...core, servers: dnsServers }),
            allowLoopback,
            timeoutMs: SEND_MOST_MS,
          }),
        });
  if (pushes !== undefined) needs.personSignals.onPush((personId, signal) => pushes.send(personId, signal));
  const domain: Domain = {
    tables: pushTables,
    routes: (app) => deviceRoutes(app, { devices }),
    async stop() {
      await pushes?.stop();
    },
  };
  return { devices, domain };
}
