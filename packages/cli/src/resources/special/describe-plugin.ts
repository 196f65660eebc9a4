import { reach } from '../../profile/caller.ts';
import { membersOf } from '../body.ts';
import { finish, printSteps, type Run, send, stepOf } from '../run.ts';
import type { Members } from '../structured-file.ts';

/** Makes the call that gives a pass, and has the forwarder ask the plugin with it what it offers. */
export async function describePlugin(run: Run): Promise<void> {
  const { verb, options, places, api } = run;
  const members = await membersOf(verb, options);
  const step = stepOf(verb.call, places, Object.keys(members).length > 0 ? members : undefined);
  if (options.dryRun) return printSteps(run, [step]);
  const { plugin, pass, forwarder_url: url } = await send<Members>(api, step);
  const id = ((plugin as Members | undefined)?.id ?? places.plugin) as string;
  await reach(`${url}/registry`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pass }),
  });
  // How that went stands in the list, also when it failed.
  const { plugins } = await api.json<{ plugins: Members[] }>({ method: 'GET', path: '/api/account/plugins' });
  await finish(run, plugins.find((row) => row.id === id) ?? plugin);
}
