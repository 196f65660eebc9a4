import type { Argument, Command, Option } from 'commander';
import { FINDERS } from '../resources/table/finders.ts';
import { writeLine } from '../terminal/output.ts';
import { fishScript } from './fish.ts';

export type Shell = 'bash' | 'zsh' | 'fish';
/** What may follow the words that lead to a command. */
export type Place = {
  path: string;
  commands: readonly { name: string; about: string }[];
  options: readonly { long: string; about: string; values?: string; takesValue: boolean }[];
  /** Of its first argument. */
  values?: string;
};

/** Prints a script that knows every command and option, and asks the platform for names. */
export async function printCompletion(program: Command, shell: Shell): Promise<void> {
  const places = placesOf(program, program.name());
  if (shell === 'fish') return writeLine(fishScript(places));
  const script = bashScript(places);
  await writeLine(shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script);
}

function placesOf(command: Command, path: string): Place[] {
  const shown = command.commands.filter((inner) => !isHidden(inner));
  // Its options may follow the group itself.
  const usual = shown.find((inner) => inner.name() === usualOf(command));
  const [first] = command.registeredArguments;
  const values = first === undefined ? undefined : valuesOf(first);
  const options = [...command.options, ...(usual?.options ?? [])];
  const place: Place = {
    path,
    commands: shown.map((inner) => ({ name: inner.name(), about: inner.description() })),
    options: options.flatMap((option) => {
      if (option.hidden || !option.long) return [];
      const known = valuesOfOption(option);
      const takesValue = option.required || option.optional;
      return [{ long: option.long, about: option.description, takesValue, ...(known && { values: known }) }];
    }),
    ...(values !== undefined && { values }),
  };
  return [place, ...shown.flatMap((inner) => placesOf(inner, `${path} ${inner.name()}`))];
}

const usualOf = (command: Command) =>
  (command as Command & { _defaultCommandName?: string })._defaultCommandName;

/** Commander keeps that to itself. */
function isHidden(command: Command): boolean {
  return (command as Command & { _hidden?: boolean })._hidden === true;
}

function valuesOf(argument: Argument): string | undefined {
  if (argument.argChoices) return argument.argChoices.join(' ');
  return dynamic(argument.name());
}

function valuesOfOption({ argChoices, flags }: Option): string | undefined {
  if (argChoices) return argChoices.join(' ');
  const [, placeholder = ''] = /[<[]([\w-]+)/.exec(flags) ?? [];
  return flags.includes('--profile') ? '@profile' : dynamic(placeholder);
}

const dynamic = (name: string) => (Object.hasOwn(FINDERS, name) ? `@${name}` : undefined);

function bashScript(places: readonly Place[]): string {
  const words = places.map(({ path, commands, options }) => {
    const all = [...commands.map(({ name }) => name), ...options.map(({ long }) => long), '--help'];
    return `    "${path}") words="${all.join(' ')}";;`;
  });
  const values = places.flatMap(({ path, options, values: ofArgument }) => [
    ...(ofArgument === undefined ? [] : [`    "${path}") values="${ofArgument}";;`]),
    ...options
      .filter(({ takesValue }) => takesValue)
      .map(({ long, values: known = '' }) => `    "${path} ${long}") values="${known}";;`),
  ]);
  return SCRIPT.replace('WORDS', () => words.join('\n')).replace('VALUES', () => values.join('\n'));
}

/**
 * Walks the words before the cursor as long as they are commands. Values that begin with @ are asked for; where there are none
 * files complete as usual.
 */
const SCRIPT = `_symbolon_words() {
  case "$1" in
WORDS
    *) return 1;;
  esac
}
_symbolon_values() {
  case "$1" in
VALUES
    *) return 1;;
  esac
}
_symbolon() {
  local path=symbolon words="" values="" word before="" given=0
  local last="\${COMP_WORDS[COMP_CWORD-1]}"
  _symbolon_words "$path"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then
      if _symbolon_words "$path $word"; then path="$path $word"; given=0
      elif [[ $before != -* ]]; then given=1; fi
    fi
    before="$word"
  done
  _symbolon_words "$path"
  if [[ $last == -* ]] && _symbolon_values "$path $last"; then words=""
  elif [[ $given == 0 ]]; then _symbolon_values "$path"; fi
  if [[ $values == @* ]]; then
    values="$(symbolon __values "\${values#@}" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null | cut -f1)"
  fi
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$values $words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _symbolon symbolon`;
