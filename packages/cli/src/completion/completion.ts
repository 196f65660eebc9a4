import type { Command } from 'commander';
import { writeLine } from '../terminal/output.ts';

/** Prints a script that knows every command and option of the program. */
export async function printCompletion(program: Command, shell: 'bash' | 'zsh'): Promise<void> {
  const cases = wordsOf(program, program.name()).map(([path, words]) => `    "${path}") words="${words}";;`);
  const script = SCRIPT.replace('CASES', cases.join('\n'));
  await writeLine(shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script);
}

/** What may follow each command, by the words that lead to it. */
function wordsOf(command: Command, path: string): [path: string, words: string][] {
  const { commands, options } = command;
  const flags = options.flatMap(({ hidden, long }) => (hidden || !long ? [] : [long]));
  const words = [...commands.map((inner) => inner.name()), ...flags, '--help'].join(' ');
  return [[path, words], ...commands.flatMap((inner) => wordsOf(inner, `${path} ${inner.name()}`))];
}

/** Walks the words before the cursor as long as they are commands; files complete as usual. */
const SCRIPT = `_symbolon_words() {
  case "$1" in
CASES
    *) return 1;;
  esac
}
_symbolon() {
  local path=symbolon words="" word
  _symbolon_words "$path"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    _symbolon_words "$path $word" && path="$path $word"
  done
  _symbolon_words "$path"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _symbolon symbolon`;
