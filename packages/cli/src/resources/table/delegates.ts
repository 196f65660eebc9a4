import { portalRoles } from '@symbolon/protocol/constants';
import { COMPANY } from './callers.ts';
import type { Option, Resource } from './types.ts';

const ROLE: Option = {
  member: 'role',
  does: 'each may do what those before it may',
  choices: portalRoles,
  required: true,
};
const DELEGATE_PATH = '/api/delegates/{delegate}';
export const DELEGATES: Resource = {
  name: 'delegates',
  does: "people who sign in to the company's portal",
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them, with open invitations',
      call: 'GET /api/delegates',
      items: 'items',
      columns: ['email', 'role', 'status', 'two_factor', 'id'],
      examples: ['delegates'],
    },
    {
      name: 'get',
      does: 'show one',
      call: `GET ${DELEGATE_PATH}`,
      args: ['delegate'],
      examples: ['delegates get ada@acme.example'],
    },
    {
      name: 'create',
      does: 'invite a person by mail',
      call: 'POST /api/delegates',
      options: [{ member: 'email', does: 'where the invitation goes', required: true }, ROLE],
      examples: ['delegates create --email ada@acme.example --role developer'],
    },
    {
      name: 'set',
      does: 'change the role of one; in effect at once',
      call: `PUT ${DELEGATE_PATH}`,
      args: ['delegate'],
      options: [ROLE],
      examples: ['delegates set ada@acme.example --role admin'],
    },
    {
      name: 'resend',
      does: 'mail an invitation once more; the one before is void',
      call: `POST ${DELEGATE_PATH}/resend`,
      args: ['delegate'],
      examples: ['delegates resend ada@acme.example'],
    },
    {
      name: 'delete',
      does: 'remove one, or take an invitation back',
      call: `DELETE ${DELEGATE_PATH}`,
      args: ['delegate'],
      asks: 'Their sessions end at once.',
      examples: ['delegates delete ada@acme.example --yes'],
    },
  ],
};
