import type { Command } from 'commander';
import { wholeFrom } from './connections.ts';

const CONFIG = 'client configuration (JSON); else SYMBOLON_CONFIG and the other variables';

export function addDocuments(program: Command): void {
  const documents = program
    .command('documents')
    .description('issue documents and contracts, list them, and verify what was signed');

  documents
    .command('send')
    .description('issue a file to one customer, sealed here, or to all customers')
    .argument('<file>', 'pdf, doc, docx, xls, xlsx, png or jpg')
    .option('--config <file>', CONFIG)
    .option(
      '--to <id>',
      'the customer: the id of the connection, as symbolon connections shows it, or of the person or company; without it every customer has the file, unsealed',
    )
    .option('--name <text>', 'what the document is called; default: the name of the file')
    .option('--kind <kind>', 'document, agreement or subscription', 'document')
    .option('--sign', 'the customer is to sign it')
    .option('--accept', 'the customer is to accept it')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  $ symbolon documents send lease.pdf --to 019bd0f2-8c00-7000-8000-000000000000 --kind agreement --sign
  $ symbolon documents send prices.pdf`,
    )
    .action(async (file: string, options) => {
      const { sendDocument } = await import('../data/documents.ts');
      await sendDocument(file, options);
    });

  documents
    .command('list')
    .description('list what the service issued, newest first')
    .option('--config <file>', CONFIG)
    .option('--to <id>', 'only for this customer')
    .option('--status <status>', 'offering, ready_to_sign, active, active_but_ending or ended')
    .option('--limit <number>', 'stop after so many', wholeFrom(1, 1_000_000))
    .option('--json', 'one JSON object a line')
    .action(async (options) => {
      const { listDocuments } = await import('../data/documents.ts');
      await listDocuments(options);
    });

  documents
    .command('verify')
    .description(
      'open the sealed PDF of a contract, and tell what was signed, by whom, and whether it is unchanged',
    )
    .argument('<document-id>', 'that documents list shows')
    .option('--config <file>', CONFIG)
    .option('--out <file>', 'keep the sealed PDF there; a file that exists is not replaced')
    .option('--root <file>', 'certificates (PEM) under which seals are trusted')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The copy of the service is opened here with its private key, and compared with the digest that the platform stored. What is printed and the
exit codes are those of symbolon verify.

Example:
  $ symbolon documents verify 019bd0f2-8c00-7000-8000-000000000000 --out lease-signed.pdf --root roots.pem`,
    )
    .action(async (id: string, options) => {
      const { verifyDocument } = await import('../data/documents.ts');
      await verifyDocument(id, options);
    });

  documents
    .command('cancel')
    .description(
      'cancel what another company issued to yours, as an account client with customer_connections',
    )
    .argument('<document-id>', 'that symbolon api get /api/company-connections shows')
    .option('--note <text>', 'which the company that issued it reads')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
The account client is named by SYMBOLON_URL, SYMBOLON_ACCOUNT_CLIENT_ID and SYMBOLON_ACCOUNT_CLIENT_SECRET. A contract that is
active ends on the day that its metadata names, any other document at once.

Example:
  $ symbolon documents cancel 019bd0f2-8c00-7000-8000-000000000000 --note "We move."`,
    )
    .action(async (id: string, options) => {
      const { cancelDocument } = await import('../data/cancel-document.ts');
      await cancelDocument(id, options);
    });
}
