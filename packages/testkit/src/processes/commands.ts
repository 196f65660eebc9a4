/**
 * Does the commands that it is asked for, one after the other, each as a process of its own would: with its environment and its
 * streams, and until nothing is left to do.
 */
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../../cli/src/program.ts';
import '../platform/cheap-passwords.ts';
import { rememberDerivations } from '../platform/quick-cryptography.ts';

/** A command that this process is asked for. */
export interface Asked {
  readonly args: readonly string[];
  /** All variables there are. */
  readonly env: Readonly<Record<string, string>>;
  /** What its standard input is. */
  readonly input: string | Uint8Array;
}

const UNSETTLED = 13;

rememberDerivations();
process.on('message', ({ args, env, input }: Asked) => {
  // Whatever the command leaves open keeps this process from answering.
  process.channel?.unref();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const [stdout, stderr] = [taken(), taken()];
  const value = (of: unknown) => ({ value: of, configurable: true });
  Object.defineProperties(process, {
    stdin: value(Readable.from([input], { objectMode: false })),
    stdout: value(stdout.stream),
    stderr: value(stderr.stream),
  });
  process.exitCode = undefined;
  let code = UNSETTLED;
  void runProgram(args).then((told) => {
    code = told;
  });
  process.once('beforeExit', () => {
    process.channel?.ref();
    process.exitCode = undefined;
    process.send?.({ code, stdout: stdout.text(), stderr: stderr.text() });
  });
});

function taken() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
