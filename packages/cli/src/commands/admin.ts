import { type Command, InvalidArgumentError } from 'commander';
import { wholeFrom } from './connections.ts';

type Options = Record<string, unknown>;

/** The operator's commands, declared one after the other, so this is long; the work is in ../admin. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one command after the other
export function addAdmin(program: Command): void {
  const admin = program
    .command('admin')
    .description('run the platform: companies, field types, maintenance, backups');
  admin.addHelpText(
    'after',
    `
The token is read from SYMBOLON_OPERATOR_TOKEN, the one the platform was started with, or to look alone from
SYMBOLON_OPERATOR_READ_TOKEN; the address is --url or SYMBOLON_URL, else http://127.0.0.1:8080. restore alone works on
the installation itself, which must not run.

Examples:
  $ symbolon admin companies acme
  $ symbolon admin level ACME42 pro
  $ symbolon admin pause --reason "database upgrade"
  $ symbolon admin backup symbolon.backup`,
  );
  const command = withCommon(admin, '');
  const paged = (made: Command) =>
    made
      .option('--limit <number>', 'at most so many', wholeFrom(1, 500))
      .option('--offset <number>', 'after so many', wholeFrom(0, 10_000))
      .option('--after <id>', 'after the row with this id');
  const acts = () => import('../admin/acts.ts');

  paged(command('companies', 'list companies, or look for some', 'companies acme'))
    .argument('[search]', 'what a name or an e-mail address begins with, or a company code')
    .action(async (search: string | undefined, options: Options) =>
      (await acts()).companies(search, options),
    );

  command('level', 'set the level of a company', 'level ACME42 pro')
    .argument('<company>', 'its id, code or e-mail address')
    .argument('<level>', 'free, basic, pro or enterprise', levelFrom)
    .action(async (company: string, level: string, options: Options) =>
      (await acts()).level(company, level, options),
    );

  const moves = () => import('../admin/moves.ts');
  command('regions', 'list the regions, and whether they answer', 'regions').action(
    async (options: Options) => (await moves()).regions(options),
  );
  command(
    'move-company',
    'move a company to another region while it is used',
    'move-company ACME42 --to us --wait',
  )
    .argument('<company>', 'its id, code or e-mail address')
    .requiredOption('--to <region>', 'name of the region')
    .option('--wait', 'until it is at home there, or the move was undone')
    .action(async (company: string, options: Options & { to: string }) =>
      (await moves()).moveCompany(company, options),
    );
  paged(command('moves', 'list moves of companies away from this region, the newest first', 'moves')).action(
    async (options: Options) => (await moves()).moves(options),
  );
  command('undo-move', 'undo a move that has not been switched over', 'undo-move 0199a5c1-…')
    .argument('<move>', 'its id')
    .action(async (move: string, options: Options) => (await moves()).undoMove(move, options));

  const messages = admin
    .command('messages')
    .description('see what waits for other regions, and step over it');
  const ofMessages = withCommon(messages, 'messages ');
  const waiting = () => import('../admin/region-messages.ts');
  const seq = wholeFrom(1, Number.MAX_SAFE_INTEGER);
  ofMessages('list', 'list the first message of each lane in which some wait', 'list').action(
    async (options: Options) => (await waiting()).list(options),
  );
  ofMessages('show', 'print one whole, as JSON', 'show 1764135600000001')
    .argument('<seq>', 'its number', seq)
    .action(async (number: number, options: Options) => (await waiting()).read(number, options));
  ofMessages('try', 'send one now, and say why not', 'try 1764135600000001')
    .argument('<seq>', 'its number', seq)
    .action(async (number: number, options: Options) => (await waiting()).tryNow(number, options));
  ofMessages(
    'skip',
    'step over one that can never be applied: what it said is lost',
    'skip 1764135600000001 --yes',
  )
    .argument('<seq>', 'its number', seq)
    .option('--yes', 'without a question')
    .action(async (number: number, options: Options) => (await waiting()).skip(number, options));

  paged(command('people', 'list people, or look for some', 'people ada@example.com'))
    .argument('[search]', 'what a name or an e-mail address begins with, or a share code')
    .action(async (search: string | undefined, options: Options) => (await acts()).people(search, options));

  command(
    'share-code',
    'give a person a share code, or take it back',
    'share-code add ada@example.com ADA1815',
  )
    .argument('<act>', 'add or remove', actFrom)
    .argument('<person>', 'id, share code or e-mail address')
    .argument('<code>', '3 to 20 characters of A-Z and 0-9')
    .action(async (act: 'add' | 'remove', person: string, code: string, options: Options) =>
      (await acts()).shareCode(act, person, code, options),
    );

  const types = admin.command('field-types').description('list, add and remove field types');
  const typed = withCommon(types, 'field-types ');
  typed('list', 'list all of them', 'list').action(async (options: Options) =>
    (await acts()).listTypes(options),
  );
  typed('add', 'add the row of a JSON file', 'add iban.json')
    .argument('<file>', 'such as {"type": "iban", "parent": "text", "label": "IBAN"}; - reads stdin')
    .action(async (file: string, options: Options) => (await acts()).addType(file, options));
  typed('remove', 'remove one that is not in use', 'remove iban')
    .argument('<type>')
    .action(async (type: string, options: Options) => (await acts()).removeType(type, options));

  command(
    'pause',
    'pause saving: calls that write answer 503 db.writes_paused',
    'pause --reason "database upgrade"',
  )
    .option('--reason <text>', 'for whoever asks why')
    .action(async (options: Options) => (await acts()).maintenance('writes-paused', true, options));
  command('resume', 'resume saving', 'resume').action(async (options: Options) =>
    (await acts()).maintenance('writes-paused', false, options),
  );
  command('out-of-order', 'have all calls answer 503 platform.out_of_order, or end that', 'out-of-order on')
    .argument('<state>', 'on or off', onOff)
    .option('--reason <text>', 'for whoever asks why')
    .action(async (state: 'on' | 'off', options: Options) =>
      (await acts()).maintenance('out-of-order', state === 'on', options),
    );

  const watch = () => import('../admin/watch.ts');
  command('readiness', 'whether the process that answers can do its work', 'readiness').action(
    async (options: Options) => (await watch()).readiness(options),
  );
  command('jobs', 'work that waits for workers, what fails of it first', 'jobs').action(
    async (options: Options) => (await watch()).jobs(options),
  );
  command('mail-test', 'send a mail, and show what the mail server says', 'mail-test ops@example.com')
    .argument('<address>', 'where it goes')
    .action(async (to: string, options: Options) => (await watch()).testMail(to, options));
  const kept = withCommon(
    admin.command('backups').description('list what the schedule has backed up, or have it make one now'),
    'backups ',
  );
  kept('list', 'list the newest, and what was found when each was restored', 'list').action(
    async (options: Options) => (await watch()).listBackups(options),
  );
  kept('now', 'have the schedule make one now', 'now').action(async (options: Options) =>
    (await watch()).backUpNow(options),
  );

  command('purge', 'delete now what has outlived its time', 'purge').action(async (options: Options) =>
    (await acts()).purge(options),
  );
  command('stats', 'how much there is, and what waits', 'stats --json').action(async (options: Options) =>
    (await acts()).statistics(options),
  );
  paged(command('acts', 'what operators did, the newest first', 'acts --limit 20')).action(
    async (options: Options) => (await acts()).record(options),
  );
  const signing = admin.command('signing-keys').description('show and replace the keys that sign id_tokens');
  const signed = withCommon(signing, 'signing-keys ');
  const signingKeys = () => import('../admin/signing-keys.ts');
  signed('list', 'list the keys that sign id_tokens', 'list').action(async (options: Options) =>
    (await signingKeys()).listSigningKeys(options),
  );
  signed('rotate', 'make the next keys, which sign in an hour', 'rotate')
    .option('--compromised', 'at once: tokens under the older keys are refused')
    .action(async (options: Options) => (await signingKeys()).rotateSigningKeys(options));

  const keys = admin.command('keys').description('show, change and drop versions of the keys');
  const keyed = withCommon(keys, 'keys ');
  keyed('list', 'show the versions, and what needs each of them', 'list').action(async (options: Options) =>
    (await acts()).listKeys(options),
  );
  keyed('rotate', 'change to a newer version and re-encrypt under it', 'rotate').action(
    async (options: Options) => (await acts()).rotateKeys(options),
  );
  keyed('drop', 'let go of a version that nothing is under', 'drop 1')
    .argument('<version>', 'its number', wholeFrom(1, 999_999))
    .option('--force', 'also when hashes or access tokens are under it: those secrets and tokens end with it')
    .action(async (version: number, options: Options) => (await acts()).dropKey(version, options));

  command('backup', 'make a backup while the platform serves', 'backup symbolon.backup')
    .argument('<file>', 'is rewritten')
    .action(async (file: string, options: Options) =>
      (await import('../admin/backup.ts')).makeBackup(file, options),
    );
  admin
    .command('restore')
    .description('put a backup in the place of an installation that does not run')
    .argument('<file>', 'made by symbolon admin backup, or on the schedule')
    .option('--data <folder>', 'data folder (SYMBOLON_DATA_DIR, default ./data)')
    .option('--identity <file>', 'file with the private key of age that opens it, when it is encrypted')
    .option('--force', 'replace what is there; an embedded database is put aside')
    .option('--company <company>', 'bring back this one alone: its id or code; all others stay as they are')
    .option('--replace <id>', 'with --company: its id again, when it is there and is to give way')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
DATABASE_URL names a PostgreSQL, as with serve. The keys of the server are not in a backup: put secret.key or
SYMBOLON_SECRET back as well.

Examples:
  $ symbolon admin restore symbolon.backup --data /var/lib/symbolon
  $ symbolon admin restore symbolon-eu-….backup.age --identity backup.key
  $ symbolon admin restore symbolon.backup --company ACME42
  $ DATABASE_URL=postgres://… symbolon admin restore symbolon.backup`,
    )
    .action(async (file: string, options: Options) => {
      const { restoreBackup, restoreOne } = await import('../admin/backup.ts');
      await (options.company === undefined ? restoreBackup : restoreOne)(file, options, process.env);
    });
}

const oneOf =
  <const Words extends readonly string[]>(...words: Words) =>
  (text: string): Words[number] => {
    if (words.includes(text)) return text;
    throw new InvalidArgumentError(`It takes ${words.join(', ')}.`);
  };
const levelFrom = oneOf('free', 'basic', 'pro', 'enterprise');
const actFrom = oneOf('add', 'remove');
const onOff = oneOf('on', 'off');

/** Declares commands of a group, with the options and the help that all of them have. */
function withCommon(group: Command, path: string) {
  return (name: string, description: string, example: string) =>
    group
      .command(name)
      .description(description)
      .option('--url <url>', 'address of the platform (SYMBOLON_URL)')
      .option('--json', 'print JSON, of a list one object a line')
      .addHelpText('after', `\nExamples:\n  $ symbolon admin ${path}${example}`);
}
