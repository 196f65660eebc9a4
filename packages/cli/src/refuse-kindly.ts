import type { Command } from 'commander';

/**
 * Makes every usage error name the help of its own command, and an unknown subcommand suggest one that exists, also in
 * groups that do something without one. Call it when all commands are declared.
 */
export function refuseKindly(command: Command, path: string = command.name()): void {
  command.showHelpAfterError(`See ${path} --help.`);
  if (command.commands.length > 0) suggestSubcommands(command);
  for (const inner of command.commands) refuseKindly(inner, `${path} ${inner.name()}`);
}

function suggestSubcommands(group: Command): void {
  // Without this the word that is no subcommand would be an argument too many.
  if (group.registeredArguments.length === 0) group.allowExcessArguments();
  group.hook('preSubcommand', (_, meant) => {
    const isArgument = meant.registeredArguments.length > 0;
    if (!isArgument && isUnknown(group)) refuse(group);
  });
  group.hook('preAction', (_, meant) => {
    if (meant === group && group.registeredArguments.length === 0 && isUnknown(group)) refuse(group);
  });
}

function isUnknown(group: Command): boolean {
  const [word] = group.args;
  if (word === undefined || word.startsWith('-')) return false;
  return !group.commands.some((inner) => inner.name() === word || inner.aliases().includes(word));
}

/** Commander's own refusal, with its suggestion; its types leave it out. */
function refuse(group: Command): void {
  (group as Command & { unknownCommand(): void }).unknownCommand();
}
