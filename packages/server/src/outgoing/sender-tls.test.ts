import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createCertificate, noCertificates } from '@symbolon/testkit/servers/certificate';
import { listening } from '@symbolon/testkit/servers/listening';
import type { Dial } from './outgoing-socket.ts';
import type { Resolver } from './resolver.ts';
import { OutgoingSender, type OutgoingSenderOptions } from './sender.ts';

const PUBLIC_A = '93.184.216.34';
const PUBLIC_B = '2606:4700:4700::1111';

describe('OutgoingSender over TLS', { skip: noCertificates }, () => {
  let cert = '';
  let port = 0;
  const senders: OutgoingSender[] = [];
  const requests: { host: string | undefined; sni: string | false | null; reused: boolean }[] = [];
  let server: ReturnType<typeof createServer>;

  before(async () => {
    const certificate = createCertificate('DNS:example.com', 'DNS:localhost', 'IP:127.0.0.1');
    cert = certificate.cert;
    server = createServer(certificate, (request, response) => {
      const socket = request.socket as TLSSocket & { servername: string | false | null };
      requests.push({ host: request.headers.host, sni: socket.servername, reused: socket.isSessionReused() });
      request.resume();
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    for (const sender of senders) await sender.stop();
    server.close().closeAllConnections();
  });

  function newSender(options: Partial<OutgoingSenderOptions>): OutgoingSender {
    const resolver: Resolver = { resolve: () => Promise.reject(new Error('nothing to resolve here')) };
    const sender = new OutgoingSender({ resolver, allowLoopback: true, ca: cert, ...options });
    senders.push(sender);
    return sender;
  }
  /** Connects to the server of this test whatever the address, and records the addresses. */
  function recordingDial(): { dial: Dial; dialed: string[] } {
    const dialed: string[] = [];
    return {
      dialed,
      dial(addresses, wanted) {
        dialed.push(`${addresses.map(({ address }) => address).join()} ${wanted}`);
        const value = addresses[0]!.address;
        return Object.defineProperty(connect(port, '127.0.0.1'), 'remoteAddress', { value });
      },
    };
  }
  function resolving(...answers: string[][]): Resolver & { asked: string[] } {
    const asked: string[] = [];
    return {
      asked,
      async resolve(host) {
        asked.push(host);
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
        return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
    };
  }
  const post = (url: string) => ({ url, headers: {}, body: Buffer.from('{}') });
  const outcome = async (sender: OutgoingSender, url: string) => {
    const result = await sender.send(post(url));
    return result.kind === 'failed' ? result.reason : result.status;
  };

  it('refuses a certificate that no trusted authority signed', async () => {
    const sender = new OutgoingSender({ resolver: resolving([]), allowLoopback: true });
    senders.push(sender);
    for (const turnedOff of ['1', '0']) {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = turnedOff;
      try {
        assert.equal(await outcome(sender, `https://localhost:${port}/`), 'tls');
      } finally {
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      }
    }
    assert.equal(requests.length, 0);
  });

  it('accepts a trusted certificate for a host name and for an IP address', async () => {
    const sender = newSender({});
    assert.equal(await outcome(sender, `https://localhost:${port}/`), 200);
    assert.deepEqual(requests.at(-1), { host: `localhost:${port}`, sni: 'localhost', reused: false });
    assert.equal(await outcome(sender, `https://127.0.0.1:${port}/`), 200);
    assert.equal(requests.at(-1)?.sni, false);
  });

  it('refuses a certificate for another name or address, also when it tries again', async () => {
    const { dial } = recordingDial();
    const sender = newSender({ dial, resolver: resolving([PUBLIC_A]) });
    const before = requests.length;
    for (let time = 1; time <= 3; time++) {
      assert.equal(await outcome(sender, 'https://other.example/'), 'tls');
      assert.equal(await outcome(sender, `https://127.0.0.2:${port}/`), 'tls');
      assert.equal(await outcome(sender, `https://${PUBLIC_A}/`), 'tls');
    }
    assert.equal(requests.length, before);
  });

  it('fails with tls when the server does not speak TLS', async () => {
    const plain = await import('node:net').then(({ createServer }) =>
      createServer((socket) => socket.end('hello')),
    );
    const { port } = await listening(plain);
    const sender = newSender({});
    assert.equal(await outcome(sender, `https://127.0.0.1:${port}/`), 'tls');
    plain.close();
  });

  it('closes the connection when the handshake takes longer than the time limit', async () => {
    const silent = await import('node:net').then(({ createServer }) => createServer());
    const hungUp = new Promise((resolve) => {
      silent.on('connection', (socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .once('close', resolve),
      );
    });
    const { port } = await listening(silent);
    const sender = newSender({ timeoutMs: 50 });
    assert.equal(await outcome(sender, `https://127.0.0.1:${port}/`), 'timeout');
    await hungUp;
    silent.close();
  });

  it('connects to the checked addresses and verifies the name of the URL', async () => {
    const { dial, dialed } = recordingDial();
    const sender = newSender({ allowLoopback: false, dial, resolver: resolving([PUBLIC_A, PUBLIC_B]) });
    assert.equal(await outcome(sender, 'https://example.com/hook'), 200);
    assert.deepEqual(dialed, [`${PUBLIC_A},${PUBLIC_B} 443`]);
    assert.deepEqual(requests.at(-1), { host: 'example.com', sni: 'example.com', reused: false });
  });

  it('resolves the host for every request, and refuses it once it leads to a private address', async () => {
    const { dial, dialed } = recordingDial();
    const resolver = resolving([PUBLIC_A], ['127.0.0.1']);
    const sender = newSender({ dial, resolver });
    assert.equal(await outcome(sender, 'https://example.com/'), 200);
    assert.equal(await outcome(sender, 'https://example.com/'), 'address_refused');
    assert.deepEqual(resolver.asked, ['example.com', 'example.com']);
    assert.equal(dialed.length, 1);
  });

  it('uses a kept-alive connection only while the host still resolves to its address', async () => {
    const { dial, dialed } = recordingDial();
    const resolver = resolving([PUBLIC_A], [PUBLIC_B, PUBLIC_A], [PUBLIC_B], [PUBLIC_A]);
    const sender = newSender({ dial, resolver });
    for (let time = 1; time <= 4; time++) assert.equal(await outcome(sender, 'https://example.com/'), 200);
    assert.deepEqual(dialed, [`${PUBLIC_A} 443`, `${PUBLIC_B} 443`]);
    assert.equal(resolver.asked.length, 4);
  });

  it('resumes the TLS session of an origin on a new connection', async () => {
    const { dial } = recordingDial();
    const sender = newSender({ dial, resolver: resolving([PUBLIC_A], [PUBLIC_B]) });
    assert.equal(await outcome(sender, 'https://example.com/'), 200);
    assert.equal(await outcome(sender, 'https://example.com/'), 200);
    assert.deepEqual(
      requests.slice(-2).map(({ reused }) => reused),
      [false, true],
    );
  });
});
