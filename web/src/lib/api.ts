/** Requests over HTTP. */

import { words } from "./words";
import type { Admission, Board, DrawingInfo, GameInfo, Look, MatchSummary, NewMatch, Rule, State, Telling } from "./protocol";

const BASE = "api";

/** What the server refused, in its own words. */
export class Refused extends Error {}

export async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`${BASE}/${path}`, init);
  } catch {
    throw new Refused(words.noServer);
  }
  if (!answer.ok) throw new Refused(await reason(answer));
  return (await answer.json()) as T;
}

async function reason(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null);
  if (body && typeof body === "object" && "words" in body && typeof body.words === "string") return body.words;
  return words.serverSaid(answer.status);
}

export function send(body: string, method = "POST"): RequestInit {
  return { method, headers: { "Content-Type": "application/json" }, body };
}

export const api = {
  games: () => ask<GameInfo[]>("games"),
  look: (id: string, token: string) => ask<Look>(`matches/${id}/look?${query(token)}`),
  rules: (game: string) => ask<Rule[]>(`games/${game}/rules`),
  mapAddress: (game: string) => `${BASE}/games/${game}/map.svg`,
  pictureAddress: (game: string) => `${BASE}/games/${game}/map.webp`,
  drawings: () => ask<DrawingInfo[]>("games/drawings"),
  tileAddress: (game: string, shrunk: number, column: number, row: number) => `${BASE}/games/${game}/tiles/${shrunk}/${column}/${row}`,
  board: (game: string) => ask<Board>(`games/${game}/board`),
  create: (wish: NewMatch) => ask<Admission>("matches", send(JSON.stringify(wish))),
  importJournal: (text: string) => ask<Admission>("matches/import", send(text)),
  matches: (tokens: string[]) =>
    tokens.length ? ask<MatchSummary[]>("matches", { headers: { "X-Tokens": tokens.join(",") } }) : Promise.resolve([]),
  state: (id: string, token: string) => ask<State>(`matches/${id}?${query(token)}`),
  journalAddress: (id: string, token: string) => `${BASE}/matches/${id}/journal?${query(token)}`,
  replay: (id: string, token: string, n: number) => ask<State>(`matches/${id}/replay/${n}?${query(token)}`),
  branch: (id: string, token: string, n: number) => ask<Admission>(`matches/${id}/branch/${n}?${query(token)}`, { method: "POST" }),
  told: (id: string, token: string, since: number) => ask<Telling>(`matches/${id}/told/${since}?${query(token)}`),
  liveAddress: (id: string, token: string): string => {
    const address = new URL(`${BASE}/matches/${id}/live?${query(token)}&events=new`, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    return address.href;
  },
};

function query(token: string): string {
  return new URLSearchParams(token ? { token } : {}).toString();
}
