/** [decisions: Magic link] Signing in without a token. No answer reveals whether an address is known. */
import { Type } from 'typebox';
import { errors } from '../../errors.ts';
import { badLink } from '../../signin/links.ts';
import { hashOf } from '../../signin/secret-text.ts';
import type { GoodLink } from '../../signin/sign-in.ts';
import type { Sender } from '../door/budgets.ts';
import { definePublicOperation } from '../door/operation.ts';
import { Time } from '../outputs.ts';

const Address = Type.String({ maxLength: 320, description: 'E-mail address' });
const Name = Type.String({ maxLength: 200 });
const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'What the link holds behind token=' });
const Accepted = Type.Object({ ok: Type.Boolean() });

const ok = { ok: true };

export const requestMagicLink = definePublicOperation({
  id: 'auth.magicLink',
  summary: 'Request a mail with a sign-in link; it is sent only to a known address',
  input: Type.Object(
    { email: Address, next: Type.Optional(Type.String({ maxLength: 500, description: 'Path to go on to' })) },
    { additionalProperties: false },
  ),
  output: Accepted,
  effect: 'write',
  status: 202,
  budget: { policy: 'auth:magic-link', of: ({ address: ip }, { email }) => ({ ip, email }) },
  async run({ signIn }, { email, next }) {
    if (next !== undefined && !isOwnPath(next)) throw errors.validation('next must be a path of this service');
    await signIn.askForLink(email, next);
    return ok;
  },
});

export const requestSignup = definePublicOperation({
  id: 'auth.signup',
  summary: 'Request a mail with a link that creates an organization; a known address gets a notice instead',
  input: Type.Object({ name: Name, email: Address, organization_name: Name }, { additionalProperties: false }),
  output: Accepted,
  effect: 'write',
  status: 202,
  budget: { policy: 'auth:signup', of: ({ address: ip }) => ({ ip }) },
  async run({ signIn }, { name, email, organization_name: organizationName }) {
    await signIn.askForSignup({ name, email, organizationName });
    return ok;
  },
});

export const verifyToken = definePublicOperation({
  id: 'auth.verifyToken',
  summary: 'Whether a link is valid for an address, without using it up',
  input: Type.Object({ token: LinkToken, email: Address }, { additionalProperties: false }),
  output: Type.Object({
    valid: Type.Boolean(),
    purpose: Type.String({ enum: ['sign-in', 'signup', 'invitation'] }),
    email: Type.String(),
    expires_at: Time,
  }),
  effect: 'read',
  budget: { policy: 'auth:verify-token', of: ({ address: ip }, { email }) => ({ ip, email }) },
  async run({ signIn }, { token, email }) {
    const link = await signIn.look(token);
    if (link.email !== email.trim().toLowerCase()) throw badLink();
    return {
      valid: true,
      purpose: link.purpose,
      email: link.email,
      expires_at: new Date(link.expiresAt).toISOString(),
    };
  },
});

export const verifyInvitation = definePublicOperation({
  id: 'auth.verifyInvitation',
  summary: 'The target of an invitation, which stays valid',
  input: Type.Object({ token: LinkToken }, { additionalProperties: false }),
  output: Type.Object({ organization: Type.String(), email: Type.String(), role: Type.String() }),
  effect: 'read',
  budget: { policy: 'auth:invite-verify', of: ({ address: ip }) => ({ ip }) },
  async run({ signIn }, { token }) {
    const { purpose, organization, email, role } = await signIn.look(token);
    if (purpose !== 'invitation') throw badLink();
    return { organization, email, role };
  },
});

/**
 * Each link has its own budget, as the address is not known yet. An office behind one IP may open any number of links; a
 * secret of 256 bits cannot be guessed.
 */
const budgetOfLink = {
  policy: 'auth:verify-token',
  of: ({ address: ip }: Sender, { token }: { readonly token: string }) => ({ ip, email: hashOf(token) }),
} as const;

/** For the page that a link opens. */
export const lookAtLink = definePublicOperation({
  id: 'auth.look',
  summary: 'The purpose of a link, which stays valid',
  input: Type.Object({ token: LinkToken }, { additionalProperties: false }),
  output: Type.Object({}),
  effect: 'read',
  budget: budgetOfLink,
  run: ({ signIn }, { token }): Promise<GoodLink> => signIn.look(token),
});

/** For the button on that page. */
export const takeLink = definePublicOperation({
  id: 'auth.use',
  summary: 'Use a link up and sign the person in',
  input: Type.Object({ token: LinkToken, name: Type.Optional(Name) }, { additionalProperties: false }),
  output: Type.Object({}),
  effect: 'write',
  budget: budgetOfLink,
  run: ({ signIn, sender, request = null }, { token, name }) =>
    signIn.use(token, { request, address: sender.address }, name),
});

/** Whether it is a path of this service that a browser does not take for a host. */
export function isOwnPath(path: string): boolean {
  return /^\/(?!\/)[\w\-./~?=&%:]*$/.test(path);
}
