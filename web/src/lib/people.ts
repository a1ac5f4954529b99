/** Requests about people, and the tables at which they meet. The session is a cookie that no script sees. */

import { ask, send } from "./api";
import type { NoticeEvent } from "./said";
import type {
  Account,
  Channel,
  Deed,
  Me,
  Message,
  ModeratedMatch,
  NewTable,
  NewTableMade,
  Note,
  Offer,
  Profile,
  Quiet,
  Report,
  ServerInfo,
  Session,
  SharedNote,
  TableSummary,
  Use,
  WayBack,
  Ways,
} from "./protocol";

const at = (table: string, rest: string) => `tables/${encodeURIComponent(table)}/${rest}`;
const invited = (invitation: string, request: RequestInit = {}): RequestInit =>
  invitation ? { ...request, headers: { ...request.headers, "X-Invitation": invitation } } : request;
const post = <T = unknown>(path: string, body: unknown = {}, invitation = "") => ask<T>(path, invited(invitation, send(JSON.stringify(body))));

export const people = {
  server: () => ask<ServerInfo>("server"),
  me: () => ask<Me | null>("me"),
  signUp: (name: string, password: string, email: string) => post<Me>("people", { name, password, email }),
  signIn: (name: string, password: string) => post<Me>("session", { name, password }),
  signOut: () => ask("session", { method: "DELETE" }),
  sessions: () => ask<Session[]>("me/sessions"),
  endSession: (id: string) => ask(`me/sessions/${id}`, { method: "DELETE" }),
  endOthers: () => ask("me/sessions", { method: "DELETE" }),
  change: (changes: { words?: string; email?: string; password?: string; old_password?: string; passkey?: unknown; hidden?: boolean }) =>
    ask<Me>("me", send(JSON.stringify(changes), "PATCH")),
  uses: () => ask<Use[]>("me/uses"),
  exportAddress: "api/me/export",
  holiday: (days: number) => ask<Me>("me/holiday", send(JSON.stringify({ days }), "PUT")),
  leaveForGood: (proof: { password: string } | { passkey: unknown }) => ask("me", send(JSON.stringify(proof), "DELETE")),
  profile: (name: string) => ask<Profile>(`people/${encodeURIComponent(name)}`),
};

/** What one asks moderators to look at. */
export interface NewReport {
  words: string;
  about?: string;
  match?: string;
  message?: number;
}

export const moderation = {
  report: (report: NewReport) => post("reports", report, invitationTo(report.match ?? "")),
  reports: (closed: boolean) => ask<Report[]>(`moderation/reports?closed=${closed}`),
  closeReport: (number: number, closed: boolean) => post(`moderation/reports/${number}`, { closed }),
  people: (name: string) => ask<Account[]>(`moderation/people?name=${encodeURIComponent(name)}`),
  suspend: (name: string, suspended: boolean, why: string) => post<Account>(`moderation/people/${encodeURIComponent(name)}`, { suspended, why }),
  matches: (name: string) => ask<ModeratedMatch[]>(`moderation/tables?name=${encodeURIComponent(name)}`),
  talk: (table: string) => ask<Message[]>(`moderation/${at(table, "talk")}`),
  silence: (table: string, number: number) => ask(`moderation/${at(table, `talk/${number}`)}`, { method: "DELETE" }),
  breakOff: (table: string) => ask(`moderation/tables/${encodeURIComponent(table)}`, { method: "DELETE" }),
  deeds: () => ask<Deed[]>("moderation/deeds"),
};

export const notices = {
  all: () => ask<Ways>("me/notices"),
  open: (kind: string, target = "") => post<Channel>("me/notices", { kind, target }),
  confirm: (id: string, code: string) => post<Channel>(`me/notices/${id}/confirm`, { code }),
  choose: (id: string, events: NoticeEvent[]) => ask<Channel>(`me/notices/${id}`, send(JSON.stringify({ events }), "PATCH")),
  test: (id: string) => post(`me/notices/${id}/test`),
  keepQuiet: (quiet: Quiet | null) => ask("me/notices/quiet", send(JSON.stringify({ quiet }), "PUT")),
  close: (id: string) => ask(`me/notices/${id}`, { method: "DELETE" }),
};

export const tables = {
  open: () => ask<TableSummary[]>("tables"),
  mine: () => ask<TableSummary[]>("tables/mine"),
  of: (name: string) => ask<TableSummary[]>(`tables/of/${encodeURIComponent(name)}`),
  one: (id: string, invitation: string) => ask<TableSummary>(`tables/${encodeURIComponent(id)}`, invited(invitation)),
  make: (wish: NewTable) => post<NewTableMade>("tables", wish),
  sit: (id: string, side: string, commitment: string, invitation: string) =>
    post(at(id, "sit"), { side, commitment, ...(invitation ? { invitation } : {}) }),
  leave: (id: string) => post(at(id, "leave")),
  reveal: (id: string, secret: string) => post(at(id, "reveal"), { secret }),
  offer: (id: string, kind: Offer["kind"], to?: number) => post(at(id, "offer"), { kind, ...(to === undefined ? {} : { to }) }),
  waysBack: (id: string) => ask<WayBack[]>(at(id, "back")),
  answer: (id: string, yes: boolean) => post<{ table: string | null }>(at(id, "answer"), { yes }),
  resign: (id: string) => post(at(id, "resign")),
  claim: (id: string) => post(at(id, "claim")),
  keep: (id: string, kept: boolean) => ask(`matches/${encodeURIComponent(id)}/kept`, send(JSON.stringify({ kept }), "PUT")),
  talk: (id: string) => ask<Message[]>(at(id, "talk"), invited(invitationTo(id))),
  say: (id: string, words: string) => post(at(id, "talk"), { words }, invitationTo(id)),
  notes: (id: string) => ask<Note[]>(at(id, "notes")),
  shared: (id: string) => ask<SharedNote[]>(at(id, "shared"), invited(invitationTo(id))),
  share: (id: string, shared: boolean) => ask(at(id, "shared"), send(JSON.stringify({ shared }), "PUT")),
  note: (id: string, turn: number, words: string) => ask(at(id, `notes/${turn}`), send(JSON.stringify({ words }), "PUT")),
};

// ---------------------------------------------------------------------- invitations, as this browser got them

const KEY = (table: string) => `bulge.invitation.${table}`;

export function keepInvitation(table: string, invitation: string): void {
  if (invitation) localStorage.setItem(KEY(table), invitation);
}

export function invitationTo(table: string): string {
  return localStorage.getItem(KEY(table)) ?? "";
}

/** Whoever comes to this browser next was invited to nothing. */
export function forgetInvitations(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(KEY(""))) localStorage.removeItem(key);
}
