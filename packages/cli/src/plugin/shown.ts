import type { PluginReply, PluginRequest } from '@symbolon/protocol';
import { createPaint } from '../terminal/paint.ts';
import { printable, shorten } from '../terminal/text.ts';
import type { DevMessage } from './messages.ts';

const COLUMNS_MOST = 100;

/** A message of a running plugin for the terminal. */
export function linesOf(message: DevMessage): string {
  const { good, bad, bold, dim, name } = createPaint(process.stdout);
  switch (message.type) {
    case 'ready':
      return `${good('✓')} ${bold(printable(message.name))} answers at http://127.0.0.1:${message.port} ${dim(
        printable(`fields: ${message.fields.join(', ')}`),
      )}`;
    case 'unusable':
    case 'failed':
      return `${bad('✗')} ${message.message.split('\n').slice(0, 6).map(printable).join('\n  ')}`;
    case 'described':
      return dim('  manifest read');
    case 'refused':
      return `${bad(String(message.status))} ${printable(`${message.method} ${message.path}`)} ${dim(
        REFUSALS[message.status] ?? '',
      )}`;
    case 'call': {
      const { request, reply, durationMs } = message;
      const asked = shorten(printable(askedOf(request)), COLUMNS_MOST);
      const got = shorten(printable(gotOf(reply)), COLUMNS_MOST);
      return `  ${name(request.op)} ${asked} → ${got} ${dim(`${Math.round(durationMs)} ms`)}`;
    }
  }
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'no request of a field that the plugin has',
  401: 'without the token',
  404: 'plugins have GET /manifest and POST /call',
  409: 'sealed to another key: the platform reads the manifest again',
  413: 'too large',
};

function askedOf(request: PluginRequest): string {
  const filled = JSON.stringify({ ...request.picks, ...request.values, ...request.inputs });
  return request.op === 'options'
    ? `${request.field_type}.${request.block} ${JSON.stringify(request.query)} ${filled === '{}' ? '' : filled}`.trim()
    : `${request.field_type} ${filled}`;
}

function gotOf(reply: PluginReply): string {
  if ('options' in reply) {
    const labels = reply.options.map(({ label }) => label).join(', ');
    return `${reply.options.length}${reply.more ? '+' : ''} options${labels === '' ? '' : `: ${labels}`}`;
  }
  return 'outputs' in reply ? JSON.stringify(reply.outputs) : 'picks_invalid';
}
