import { relative } from 'node:path';
import { Interrupted } from '../problem.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine } from '../terminal/text.ts';
import { untilSignal } from '../terminal/until-signal.ts';
import { DEMO_PROFILE, leaveProfile } from './leave-profile.ts';
import { silentNarrator, terminalNarrator } from './narrator.ts';
import { type Outcome, play } from './play.ts';
import { type Stage, setStage } from './stage.ts';

/** Sets the stage, has the story played, clears the stage; with `keep` only after Ctrl-C. */
export async function playDemo(options: {
  keep?: boolean;
  port?: number;
  data?: string;
  json?: boolean;
}): Promise<void> {
  const { signalled, forget } = untilSignal();
  const interrupted = signalled.then(() => {
    throw new Interrupted();
  });
  interrupted.catch(() => undefined);
  const stage = await setStage(options);
  let forgetProfile = () => {};
  try {
    const narrator = options.json ? silentNarrator : terminalNarrator(process.stdout);
    const outcome = await Promise.race([
      play(stage, narrator, { withMonth: options.keep ?? false }),
      interrupted,
    ]);
    if (options.keep) forgetProfile = await leaveProfile(stage.url, outcome.credentials);
    // Since the process started: that is what the person at the terminal has waited.
    const seconds = (performance.now() / 1000).toFixed(1);
    process.stdout.write(
      options.json ? outcomeJson(outcome, seconds) : farewell(stage, outcome, options, seconds),
    );
    if (options.keep) await signalled;
  } finally {
    forget();
    forgetProfile();
    await stage.clear();
  }
}

function outcomeJson(outcome: Outcome, seconds: string): string {
  return `${jsonLine({ ok: true, seconds: Number(seconds), ...outcome })}\n`;
}

function farewell(
  stage: Stage,
  outcome: Outcome,
  options: { keep?: boolean; data?: string },
  seconds: string,
): string {
  const { bold, dim, good, name, title } = createPaint(process.stdout);
  const { credentials, url } = outcome;
  const done = `\n${good('✓')} ${bold(`All of it in ${seconds} s`)}, from an empty folder.\n`;
  const fact = (key: string, value: string) => `   ${dim(key.padEnd(16))}  ${value}`;
  const commands = (lines: readonly string[]) => lines.map((line) => `   ${name('$')} ${line}`);
  if (!options.keep) {
    const rest = stage.isTemporary
      ? dim('   The platform has stopped and its folder is gone.')
      : dim(`   The platform has stopped; everything is in ${stage.folder}.`);
    const next = stage.isTemporary
      ? [
          'npx symbolon demo --keep              look around in it yourself',
          'npx symbolon serve                    run a platform of your own, data in ./data',
          'npx symbolon keys generate --out keys make a service key',
        ]
      : [
          `npx symbolon serve --data ${quoted(stage.folder)} --port ${new URL(url).port}`,
          `npx symbolon doctor --config ${quoted(credentials.config_file)}`,
          `npx symbolon connections --config ${quoted(credentials.config_file)}`,
        ];
    return [done, rest, '', title('Go on'), ...commands(next), ''].join('\n');
  }
  // Browsers give keys and passkeys to the name, not to the numbers.
  const pages = url.replace('127.0.0.1', 'localhost');
  const end = stage.isTemporary ? 'it stops and its folder goes' : 'it stops; its folder stays';
  return [
    done,
    title('Addresses'),
    fact('API', url),
    fact('Explorer', `${url}/explorer`),
    fact('Pages of people', `${pages}/sign-in`),
    fact('Portal', `${pages}/portal`),
    '',
    title('Credentials'),
    fact('Jonas', `${credentials.person_email}  ${credentials.person_password}`),
    fact('Portal', `${credentials.portal_email}  ${credentials.portal_password}`),
    fact('Client id', credentials.client_id),
    fact('Client secret', credentials.client_secret),
    fact('Configuration', credentials.config_file),
    fact('Private key', credentials.private_key_file),
    fact('Passphrase', credentials.passphrase_file),
    '',
    `${title('Go on')}  ${dim('in another terminal; Jonas has moved meanwhile, and a contract and a flow wait for him')}`,
    ...commands([
      `npx symbolon connections --config ${quoted(credentials.config_file)}`,
      `npx symbolon pump --once --config ${quoted(credentials.config_file)} --buffer ${quoted(credentials.buffer_file)}`,
      `npx symbolon documents list --config ${quoted(credentials.config_file)}`,
      `npx symbolon listen --profile ${DEMO_PROFILE}`,
      `npx symbolon trigger field_updated --profile ${DEMO_PROFILE}`,
      `curl -s -u ${quoted(`${credentials.client_id}:${credentials.client_secret}`)} -d grant_type=client_credentials ${url}/oauth2/token`,
    ]),
    '',
    dim('Webhooks may call this machine here, as they must not on a platform that others use.'),
    dim(`The platform runs until Ctrl-C; then ${end}.`),
    '',
  ].join('\n');
}

/** A word for a POSIX shell, the way one would type it. */
function quoted(text: string): string {
  const path =
    text.startsWith('/') && !relative(process.cwd(), text).startsWith('..')
      ? relative(process.cwd(), text)
      : text;
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
