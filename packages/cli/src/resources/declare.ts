import { Argument, type Command, Option as CommanderOption, InvalidArgumentError } from 'commander';
import { flagOf } from './body.ts';
import { RESOURCES } from './table/index.ts';
import type { Option, Resource, Verb } from './table/types.ts';

/** Declares the commands of the table. Groups that have commands of their own get those of the table too. */
export function addResources(program: Command): void {
  for (const resource of RESOURCES) {
    const group = resource.name.split(' ').reduce((parent, word) => {
      const found = parent.commands.find((command) => command.name() === word);
      return found ?? parent.command(word).description(resource.does);
    }, program);
    for (const verb of resource.verbs) addVerb(group, resource, verb);
  }
}

/** `account services` and `account clients`, as they were called before. */
export function addFormerNames(account: Command): void {
  for (const resource of RESOURCES) {
    if (resource.name !== 'services' && resource.name !== 'clients') continue;
    const group = account
      .command(resource.name, { hidden: true })
      .description(`${resource.does}: now symbolon ${resource.name}`);
    for (const verb of resource.verbs) addVerb(group, resource, verb);
  }
}

function addVerb(group: Command, resource: Resource, verb: Verb): void {
  const command = group
    .command(verb.name, { isDefault: verb.name === resource.usual })
    .description(verb.does)
    .addHelpText('after', helpOf(verb));
  for (const name of verb.args ?? []) {
    const isOptional = name.endsWith('?');
    const shown = name.replace('?', '');
    command.addArgument(
      new Argument(isOptional ? `[${shown}]` : `<${shown}>`, ABOUT_ARGUMENTS[shown] ?? 'its id'),
    );
  }
  for (const option of verb.options ?? []) command.addOption(declared(option));
  addCommon(command, resource, verb);
  command.action(async (...given: unknown[]) => {
    const { runVerb } = await import('./run.ts');
    const args = given.slice(0, verb.args?.length ?? 0) as (string | undefined)[];
    await runVerb(resource, verb, args, command.opts());
  });
}

function declared(option: Option): CommanderOption {
  const { kind, choices, does, clears } = option;
  const flag = `--${flagOf(option)}`;
  const about = `${does}${clears ? '; none takes it away' : ''}${kind === 'secret' ? ': a file, - is stdin' : ''}`;
  switch (kind) {
    case 'switch':
      return new CommanderOption(`${flag} [true|false]`, about).choices(['true', 'false']).preset('true');
    case 'list': {
      const made = new CommanderOption(`${flag} [value...]`, about);
      return choices ? made.choices(choices) : made;
    }
    case 'secret':
    case 'bytes':
      return new CommanderOption(`${flag} <file>`, about);
    case 'whole':
      return new CommanderOption(`${flag} <number>`, about);
    default: {
      const made = new CommanderOption(`${flag} <${option.of ?? 'text'}>`, about);
      return choices ? made.choices(choices) : made;
    }
  }
}

/** The options that follow from what the verb does. */
function addCommon(command: Command, resource: Resource, verb: Verb): void {
  const { call, args = [], row } = verb;
  const isRead = call.startsWith('GET ');
  const takesBody =
    !isRead && (verb.options !== undefined || verb.fileOnly !== undefined || row?.act === 'publish');
  if (call.includes('{service}') && !args.some((name) => name.startsWith('service'))) {
    command.option('--service <service>', 'its code or id; default: that of the profile, or the only one');
  }
  if (takesBody && !call.startsWith('DELETE')) {
    command.option('--file <file>', 'members of the body, from JSON or YAML; - is stdin');
  }
  if (verb.paged) command.option('--limit <number>', 'at most so many', wholeNumber);
  if (verb.once)
    command.option('--out <file>', 'write the secret there, readable by you only, and show it nowhere');
  if (verb.download) command.option('--out <file>', 'write it there; never over a file that is there');
  if (verb.special === 'create-service' || verb.special === 'replace-key') {
    command.option('--out <folder>', 'where private key and passphrase go, readable by you only');
  }
  if (verb.waits && isRead) command.option('--wait', `wait ${verb.waits}`);
  else if (verb.waits) command.option('--no-wait', `do not wait ${verb.waits}`);
  if (verb.asks) command.option('--yes', 'do it without asking');
  if (!isRead) command.option('--dry-run', 'print the call, and do nothing');
  const kinds = verb.as ?? resource.as;
  if (kinds.some((kind) => kind.endsWith('client'))) {
    command.option('--config <file>', 'act as the client of this file (JSON)');
  }
  if (kinds.includes('portal session')) {
    command.option('--profile <name>', 'as whom, see symbolon login (SYMBOLON_PROFILE)');
  }
  command.option('--json', 'print JSON, one object a line');
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number above 0.');
}

/** The calls first: they are what the command is. */
function helpOf(verb: Verb): string {
  const calls = [...new Set([verb.call, ...(verb.options ?? []).flatMap(({ call }) => call ?? [])])];
  const lines = [`\n${calls.length > 1 ? 'Calls' : 'Call'}:`, ...calls.map((call) => `  ${call}`)];
  if (verb.fileOnly) lines.push('', `By --file alone: ${verb.fileOnly.join(', ')}.`);
  if (verb.asks) lines.push('', `${verb.asks} It is asked before; without a terminal give --yes.`);
  if (verb.notes) lines.push('', verb.notes);
  lines.push('', 'Examples:', ...verb.examples.map((example) => `  $ symbolon ${example}`));
  return lines.join('\n');
}

const ABOUT_ARGUMENTS: Readonly<Record<string, string>> = {
  service: 'its code, name or id',
  client: 'its client_id or purpose',
  app: 'its client_id or name',
  delegate: 'the e-mail address or id',
  plugin: 'its name, address or id',
  builtin: 'the key',
  webhook: 'its id or address',
  field: 'the slug',
  'share-field': 'the slug',
  value: 'its slug or id',
  'catalogue-field': 'its slug or id',
  flow: 'its name or id',
  connection: 'its id or the share code',
  code: 'share code of a person or company',
  'service-code': 'share code of a service of the company',
  type: 'the name of the type',
};
