import { sign } from 'node:crypto';
import { element, integer, sequence } from '../../../pdf/src/asn1/der.ts';
import type { Issued } from '../../../pdf/src/certificates/issue.ts';
import { bits, signatureAlgorithm, subjectOf, time } from '../../../pdf/src/certificates/issue.ts';
import type { Ask } from '../../../pdf/src/sign/fetch.ts';
import type { Desk } from './judges.ts';
import type { Pki } from './pki.ts';

export const TSA = 'http://timestamps.test/';
export const CRL = 'http://crl.test';
export const OCSP = 'http://ocsp.test/';

/** A timestamp authority by openssl. */
export function opensslTimestamps(desk: Desk, { timestamps, authority }: Pki): Ask {
  const config = [
    '[tsa]\ndefault_tsa = t\n[t]\nserial = serial\ncrypto_device = builtin\ndefault_policy = 1.2.3.4\ndigests = sha256',
    'signer_digest = sha256\ness_cert_id_alg = sha256\nordering = no\ntsa_name = no\nclock_precision_digits = 0\n',
  ];
  const files = [
    ...['-config', desk.file('tsa.cnf', config.join('\n'))],
    ...['-signer', desk.file('tsa.pem', timestamps.certificate.toString())],
    ...['-inkey', desk.file('tsa-key.pem', timestamps.privateKey.export({ type: 'pkcs8', format: 'pem' }))],
    ...['-chain', desk.file('tsa-chain.pem', authority.certificate.toString())],
  ];
  desk.file('serial', '01\n');
  return async (_url, question) => {
    const query = desk.file('query.tsq', question?.body ?? '');
    desk.must('openssl', 'ts', '-reply', '-queryfile', query, ...files, '-out', `${desk.path}/reply.tsr`);
    return desk.read('reply.tsr');
  };
}

/** Answers about certificates by openssl, for the authority that issued them. */
export function opensslOcsp(
  desk: Desk,
  { authority, signer, timestamps }: Pki,
  revoked: readonly string[] = [],
): Ask {
  const issued = [signer.certificate, timestamps.certificate];
  const rows = issued.map(({ serialNumber, subject }) =>
    revoked.includes(serialNumber)
      ? `R\t400101000000Z\t260101000000Z\t${serialNumber}\tunknown\t/${subject}`
      : `V\t400101000000Z\t\t${serialNumber}\tunknown\t/${subject}`,
  );
  const files = [
    ...['-index', desk.file('index.txt', `${rows.join('\n')}\n`), '-ndays', '3650'],
    ...['-CA', desk.file('authority.pem', authority.certificate.toString())],
    ...['-rsigner', desk.file('authority.pem', authority.certificate.toString())],
    ...[
      '-rkey',
      desk.file('authority-key.pem', authority.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ],
  ];
  return async (_url, question) => {
    const request = desk.file('request.ocsp', question?.body ?? '');
    desk.must('openssl', 'ocsp', ...files, '-reqin', request, '-respout', `${desk.path}/response.ocsp`);
    return desk.read('response.ocsp');
  };
}

/** A revocation list. */
export function crlOf(issuer: Issued, from: number, to: number, revoked: readonly string[] = []): Uint8Array {
  const rows = revoked.map((serial) =>
    sequence(element(0x02, Buffer.from(serial, 'hex')), time(new Date(from))),
  );
  const list = sequence(
    integer(1),
    signatureAlgorithm(issuer.privateKey),
    subjectOf(issuer.certificate),
    time(new Date(from)),
    time(new Date(to)),
    ...(rows.length > 0 ? [sequence(...rows)] : []),
  );
  return sequence(list, signatureAlgorithm(issuer.privateKey), bits(sign('sha256', list, issuer.privateKey)));
}
