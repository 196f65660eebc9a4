import type { Place } from './completion.ts';

/** Fish shows what each word is. Names of the platform come with theirs. */
export function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, values }) => {
    const at = `complete -c symbolon -n '__symbolon_at "${path}"'`;
    return [
      ...commands.map(({ name, about }) => `${at} -f -a ${name} -d ${quoted(about)}`),
      ...(values === undefined ? [] : [`${at} -f -a ${asked(values)}`]),
      ...options.map(({ long, about, takesValue, values: known }) => {
        const value = known === undefined ? '' : ` -f -a ${asked(known)}`;
        return `${at} -l ${long.slice(2)}${takesValue ? ' -r' : ''}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  const paths = places.map(({ path }) => quoted(path)).join(' ');
  return `${WALK.replace('PATHS', () => paths)}\n${lines.join('\n')}`;
}

const quoted = (text: string) => `'${text.replaceAll(/(['\\])/g, '\\$1')}'`;
const asked = (values: string) =>
  values.startsWith('@')
    ? `'(symbolon __values ${values.slice(1)} -- (commandline -opc)[2..] 2>/dev/null)'`
    : `'${values}'`;

/** Whether the words before the cursor lead to exactly this command. */
const WALK = `set -g __symbolon_paths PATHS
function __symbolon_at
  set -l path symbolon
  for word in (commandline -opc)[2..]
    if contains -- "$path $word" $__symbolon_paths
      set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end`;
