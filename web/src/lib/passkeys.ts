/** Passkeys: the device keeps the secret and asks its owner; only what it signs goes to the server. */

import { ask, Refused, send } from "./api";
import type { Me, Passkey } from "./protocol";
import { said } from "./said";

type Options = Record<string, unknown>;

/** Whether this browser has passkeys for this page: they need a safe address that is a name. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential && /[a-z]/i.test(location.hostname);
}

const post = <T>(path: string, body: unknown = {}) => ask<T>(path, send(JSON.stringify(body)));

/** What the device made or signed, as JSON; its owner may also say no. */
async function answered(asking: Promise<Credential | null>): Promise<unknown> {
  const found = await asking.catch(() => null);
  if (!(found instanceof PublicKeyCredential)) throw new Refused(said.passkeyRefused);
  return found.toJSON() as unknown;
}

const make = (options: Options) =>
  answered(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON),
    }),
  );

/** The device's word that its owner is who they say. */
export async function prove(): Promise<unknown> {
  const options = await post<Options>("session/passkey/options");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  return answered(navigator.credentials.get({ publicKey }));
}

export const passkeys = {
  mine: () => ask<Passkey[]>("me/passkeys"),
  add: async (name: string) => post<Passkey>("me/passkeys", { credential: await make(await post<Options>("me/passkeys/options")), name }),
  rename: (id: string, name: string) => ask<Passkey>(`me/passkeys/${id}`, send(JSON.stringify({ name }), "PATCH")),
  remove: (id: string) => ask(`me/passkeys/${id}`, { method: "DELETE" }),
  signIn: async () => post<Me>("session/passkey", { credential: await prove() }),
  signUp: async (name: string, email: string) =>
    post<Me>("people/passkey", { name, email, credential: await make(await post<Options>("people/passkey/options", { name })) }),
};
