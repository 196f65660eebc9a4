import { Agent, request } from 'node:http';

/** One connection for each stream, as browsers have it. */
const agent = new Agent({ keepAlive: true });

/** A device that listens to a person's event stream and calls back with the id of each signal of a kind. */
export class Device {
  readonly #stop: () => void;

  private constructor(stop: () => void) {
    this.#stop = stop;
  }

  static open(url: string, token: string, heard: (kind: string, id: string) => void): Promise<Device> {
    const { promise, resolve, reject } = Promise.withResolvers<Device>();
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const outgoing = request(`${url}/api/person/events`, { agent, headers }, (incoming) => {
      if (incoming.statusCode !== 200)
        return reject(new Error(`The stream was answered ${incoming.statusCode}.`));
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, kind, id] = /^event: (.*)\ndata: \{"id":"([^"]*)"\}$/.exec(block) ?? [];
          if (kind !== undefined && id !== undefined) heard(kind, id);
        }
      });
      incoming.on('error', () => {});
      resolve(new Device(() => outgoing.destroy()));
    });
    outgoing.on('error', reject);
    outgoing.end();
    return promise;
  }

  close(): void {
    this.#stop();
  }
}
