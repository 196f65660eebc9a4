import { PortalClient } from '@symbolon/sdk/portal';
import { type Ended, RunningCommand, symbolon, symbolonProcess } from './command.ts';
import { temporaryFolder, type World } from './world.ts';

/** Someone who has signed in to a world's company, with a configuration folder of their own. */
export type SignedIn = Disposable & {
  folder: string;
  env: Readonly<Record<string, string>>;
  portal: PortalClient;
  serviceId: string;
  run(...args: readonly string[]): Promise<Ended>;
  start(...args: readonly string[]): RunningCommand;
};

export async function signIn(world: World): Promise<SignedIn> {
  const folder = temporaryFolder();
  const env = { XDG_CONFIG_HOME: folder.path };
  const { portal_email: email, portal_password: password } = world.credentials;
  const account = { SYMBOLON_EMAIL: email, SYMBOLON_PASSWORD: password };
  const login = await symbolonProcess(['login', '--url', world.url], { env: { ...env, ...account } });
  if (login.code !== 0) throw new Error(login.stderr);
  const portal = await PortalClient.signIn({
    ...{ baseUrl: world.url, email, password },
    recoveryKeyFingerprint: world.credentials.recovery_key_fingerprint,
  });
  const [service] = (await portal.services()).items;
  return {
    folder: folder.path,
    env,
    portal,
    serviceId: service?.id ?? '',
    run: (...args) => symbolon(args, { env }),
    start: (...args) => new RunningCommand(args, { env }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
